package archive

import (
	"context"
	"fmt"
	"os"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/claude/transcript"
)

// mostChildren is how many bytes child agents may have left for the end of their session to be told quickly: any of them
// may have gone on until then.
const mostChildren = 1 << 20

// Tail returns what about the last n bytes of a stored session tell, as [session.Tailer] has it. Where child agents have
// so much to tell that it would take as long as all, or where something cannot be read, the error is of kind
// [session.KindUnsupported] or [session.KindCorrupt].
func (a *Archive) Tail(ctx context.Context, id session.ID, n int64) (session.Tail, error) {
	const op = "read the end of a session"
	path, err := a.lister.Find(ctx, string(id))
	if err != nil {
		return session.Tail{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	if size := transcript.ChildrenSize(path); size > mostChildren {
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
