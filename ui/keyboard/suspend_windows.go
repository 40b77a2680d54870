package keyboard

// CanSuspend returns false: a program cannot be suspended here.
func CanSuspend() bool { return false }
