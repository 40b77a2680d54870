package archive

import (
	"context"
	"fmt"
	"os"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/claude/transcript"
)

// maxChildren bounds the transcripts of child agents, in bytes. All of them are read, because any may have run until the
// end of the session.
const maxChildren = 1 << 20

// Tail returns the events of about the last n bytes of a stored session; see [session.Tailer]. It fails with kind
// [session.KindUnsupported] for large child agents, and with kind [session.KindCorrupt] for damage.
func (a *Archive) Tail(ctx context.Context, id session.ID, n int64) (session.Tail, error) {
	const op = "read the end of a session"
	path, err := a.path(ctx, id)
	if err != nil {
		return session.Tail{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	if size := transcript.ChildrenSize(path); size > maxChildren {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindUnsupported,
			Err: fmt.Errorf("its child agents have written %d bytes", size)}
	}
	entries, err := transcript.Tail(ctx, path, n)
	if err != nil {
		return session.Tail{}, err
	}
	children, err := transcript.Children(ctx, path)
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindUnsupported, Err: err}
	}
	events, left := mapper.Replay(id, entries, children)
	if left > 0 {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("%d entries cannot be replayed", left)}
	}
	return session.Tail{Events: events, Size: info.Size(), Whole: info.Size() <= n}, nil
}
