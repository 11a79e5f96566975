//! What expanded tests call. Not for users: anything here may change without notice.
