-- Asks the language server through Neovim's client what its users would ask, and ends with an error where an answer is another.

local function fail(words)
  io.stderr:write(words .. "\n")
  os.exit(1)
end

local function expect(condition, words, value)
  if not condition then
    fail(words .. ": " .. vim.inspect(value))
  end
end

local function main()
  local client = vim.lsp.start_client({
    name = "situ",
    cmd = { vim.env.SITU_COMMAND, "situ", "lsp" },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)
  expect(vim.wait(20000, function() return next(vim.lsp.buf_get_clients(0)) ~= nil end, 50), "the server starts")

  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  local function ask(method, params, limit)
    local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", document, params or {}), limit or 20000)
    local answer = answers and answers[client]
    expect(answer and not answer.err, method, answers)
    return answer.result
  end

  -- Folds, closed by the two lines of settings that the book shows.
  local folds = ask("textDocument/foldingRange")
  expect(#folds == 1 and folds[1].kind == "imports", "one fold", folds)

  -- Hover: what a recording saw.
  local hover = ask("textDocument/hover", { position = { line = 11, character = 8 } })
  expect(hover and hover.contents.value:find("count = 2usize", 1, true), "a hover", hover)

  -- A lens runs its tests; failures are diagnostics.
  vim.lsp.codelens.refresh()
  expect(vim.wait(20000, function() return #vim.lsp.codelens.get(0) == 5 end, 50), "five lenses", vim.lsp.codelens.get(0))
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  vim.lsp.codelens.run()
  local failed = vim.wait(300000, function() return #vim.diagnostic.get(0) == 1 end, 100)
  expect(failed and vim.diagnostic.get(0)[1].lnum == 6, "a failing test", vim.diagnostic.get(0))

  -- Renaming a variable renames it in its tests.
  vim.api.nvim_win_set_cursor(0, { 5, 8 })
  vim.lsp.buf.rename("twice")
  local function renamed()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return text:find("let twice = x * 2", 1, true) and text:find("check_eq(twice, 3)", 1, true)
  end
  expect(vim.wait(20000, renamed, 50), "a renamed variable", vim.api.nvim_buf_get_lines(0, 0, 9, false))
  vim.lsp.stop_client(client)
end

-- A script that fails would leave Neovim waiting for a key.
local fine, why = xpcall(main, debug.traceback)
if not fine then
  fail(why)
end
io.stderr:write("all was as expected\n")
vim.cmd("qall!")
