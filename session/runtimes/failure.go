package runtimes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"parley/session"
)

// Reason is the cause of a failure, finer than [session.Kind].
type Reason string

// The reasons of a [Failure].
const (
	ReasonUnknownName    Reason = "unknown_name"    // no agent of that name has a runtime
	ReasonNotFound       Reason = "not_found"       // no usable runtime on this machine
	ReasonBadPath        Reason = "bad_path"        // the configured path is not a runtime
	ReasonNoNPM          Reason = "no_npm"          // npm is missing
	ReasonNoNode         Reason = "no_node"         // node is missing, or too old
	ReasonPlatform       Reason = "platform"        // there is no such runtime for this system
	ReasonNoSuchVersion  Reason = "no_such_version" // the registry has no such version
	ReasonTooOld         Reason = "too_old"         // older than the oldest tested version
	ReasonOffline        Reason = "offline"         // the registry cannot be reached
	ReasonDenied         Reason = "denied"          // the registry wants a login
	ReasonCertificate    Reason = "certificate"     // the registry's certificate is not trusted
	ReasonStalled        Reason = "stalled"         // the download went silent
	ReasonMismatch       Reason = "mismatch"        // the archive has another hash
	ReasonArchive        Reason = "archive"         // the archive is malformed or refused
	ReasonDisk           Reason = "disk"            // the disk is full or may not be written
	ReasonInUse          Reason = "in_use"          // a session uses it
	ReasonNotInstalled   Reason = "not_installed"   // there is nothing to remove
	ReasonNPM            Reason = "npm"             // npm failed in another way
	ReasonCannotTell     Reason = "cannot_tell"     // the program does not say its version
	ReasonNotExecutable  Reason = "not_executable"  // the file cannot be started
	ReasonInvalidVersion Reason = "invalid_version" // the request is not a version
)

// Failure is the cause in this package's errors, with advice. It contains no secrets.
type Failure struct {
	Reason Reason
	// What is the problem, Next what the user can do; both without a full stop.
	What, Next string
	// Err is the underlying error, or nil. Its text is not shown, because it may contain addresses.
	Err error
}

// Error returns the problem and the advice.
func (f *Failure) Error() string {
	if f.Next == "" {
		return f.What
	}
	return f.What + "; " + f.Next
}

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }

// ReasonOf returns the reason of the first [Failure] in err's chain, "" if there is none.
func ReasonOf(err error) Reason {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Reason
	}
	return ""
}

// Cause returns the text of an error without the operation, for places where the context makes that clear.
func Cause(err error) string {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Error()
	}
	return err.Error()
}

// kinds maps reasons to kinds.
var kinds = map[Reason]session.Kind{
	ReasonUnknownName: session.KindInvalid, ReasonInvalidVersion: session.KindInvalid, ReasonTooOld: session.KindInvalid,
	ReasonNotFound: session.KindRuntime, ReasonBadPath: session.KindRuntime, ReasonNoNPM: session.KindRuntime,
	ReasonNoNode: session.KindRuntime, ReasonCannotTell: session.KindRuntime, ReasonNotExecutable: session.KindRuntime,
	ReasonNPM: session.KindRuntime, ReasonPlatform: session.KindUnsupported,
	ReasonNoSuchVersion: session.KindNotFound, ReasonNotInstalled: session.KindNotFound,
	ReasonOffline: session.KindNetwork, ReasonCertificate: session.KindNetwork, ReasonDenied: session.KindForbidden,
	ReasonStalled: session.KindStalled, ReasonMismatch: session.KindCorrupt, ReasonArchive: session.KindCorrupt,
	ReasonDisk: session.KindDisk, ReasonInUse: session.KindLocked,
}

// failed returns the error of an operation.
func failed(op string, f *Failure) error {
	return &session.Error{Op: op, Kind: kinds[f.Reason], Err: f}
}

// cancelled returns the error of a cancelled operation.
func cancelled(op string, err error) error {
	return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
}

// under adds the operation to an error. A [Failure] keeps its reason, the end of a context is a cancellation, and any other
// error counts as one of the disk.
func under(op string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*session.Error](err); ok {
		return e
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return failed(op, f)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return cancelled(op, err)
	}
	return failed(op, diskFailure(err))
}

// diskFailure returns the failure of writing to the cache directory.
func diskFailure(err error) *Failure {
	what, next := "", "set XDG_CACHE_HOME to a directory that can be written"
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		what = fmt.Sprintf("%s: %v", pe.Path, pe.Err)
	} else {
		what = err.Error()
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		what, next = "the disk is full ("+what+")", "make room, or set XDG_CACHE_HOME to a directory on another disk"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		next = "make it writable, or set XDG_CACHE_HOME to a directory that is"
	}
	return &Failure{Reason: ReasonDisk, What: what, Next: next, Err: err}
}
