package host

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"parley/session"
)

// Supported reports whether this system can have hosts. What differs between systems is in the files transport_*.go: the address of a
// place, how a host listens there and a client connects, who is at the other end, and whose a folder is.
const Supported = runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// foreign is the error about a host of another user.
func foreign() error {
	return &session.Error{Op: "connect to the session host", Kind: session.KindForbidden, Err: errors.New("it is another user's")}
}

// pipeName returns the name of the Windows pipe of a user's place. Names of pipes know no case, like those of folders.
func pipeName(sid string, p Place) string {
	sum := sha256.Sum256([]byte(strings.ToLower(sid + "\x00" + p.Dir + "\x00" + p.Key)))
	return fmt.Sprintf(`\\.\pipe\parley-%s-v%d`, strings.ToLower(base32.StdEncoding.EncodeToString(sum[:15])), Version)
}

// pipeAccess returns the security descriptor of a Windows pipe: it is the user's, and lets in no other one. With the rights of an
// administrator no process without them may write to it, since what a host runs has its rights.
func pipeAccess(sid string, elevated bool) string {
	access := "O:" + sid + "D:P(A;;GA;;;" + sid + ")"
	if elevated {
		access += "S:(ML;;NW;;;HI)"
	}
	return access
}
