package archive

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"parley/session"
	"parley/session/claude/transcript"
	"parley/session/sources"
)

var _ session.Labeler = (*Archive)(nil)

// titleLine and tagLine are what the runtime itself appends to a transcript, in the order of its fields: it looks for their beginning.
type (
	titleLine struct {
		Type    string     `json:"type"`
		Title   string     `json:"customTitle"`
		Session session.ID `json:"sessionId"`
	}
	tagLine struct {
		Type    string     `json:"type"`
		Tag     string     `json:"tag"`
		Session session.ID `json:"sessionId"`
	}
)

// SetTitle gives a session a title that the runtime shows, too; see [session.Labeler].
func (a *Archive) SetTitle(ctx context.Context, id session.ID, title string) error {
	return a.append(ctx, id, titleLine{"custom-title", title, sources.Raw(id)})
}

// SetTag gives a session the tag that the runtime shows, "" for none; see [session.Labeler].
func (a *Archive) SetTag(ctx context.Context, id session.ID, tag string) error {
	return a.append(ctx, id, tagLine{"tag", tag, sources.Raw(id)})
}

// SetArchived archives a session as the runtime does since 2.1.330, or ends that; see [session.Labeler]. Older ones ignore the file.
func (a *Archive) SetArchived(ctx context.Context, id session.ID, archived bool) error {
	path, err := a.path(ctx, id)
	if err != nil {
		return err
	}
	if err := transcript.SetArchived(path, archived, time.Now()); err != nil {
		return &session.Error{Op: "archive session", Kind: session.KindDisk, Err: err}
	}
	return nil
}

// append adds a line to a transcript in one write, and leaves its time as it was.
func (a *Archive) append(ctx context.Context, id session.ID, line any) error {
	path, err := a.path(ctx, id)
	if err != nil {
		return err
	}
	data, err := json.Marshal(line)
	if err == nil {
		err = appendLine(path, append(data, '\n'))
	}
	if err != nil {
		return &session.Error{Op: "label session", Kind: session.KindDisk, Err: err}
	}
	return nil
}

// appendLine appends a line to a file, behind the end of the one before.
func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	last := []byte{'\n'}
	if n := info.Size(); n > 0 {
		if _, err := f.ReadAt(last, n-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Chtimes(path, info.ModTime(), info.ModTime()))
}
