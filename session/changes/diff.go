package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"parley/internal/human"
	"parley/internal/linediff"
	"parley/session"
	"parley/session/changes/snapshot"
)

// maxDiff bounds a comparison line by line, in bytes of both sides together.
const maxDiff = 4 << 20

// Diff compares two states of a file. The patch has a few lines around each change; it is empty for binary and unkept files,
// which Note says. Bytes that are not UTF-8 are in it as U+FFFD.
func (l *Log) Diff(ctx context.Context, path string, from, to snapshot.State) (session.FileEdit, error) {
	e := session.FileEdit{Path: path, Created: from.Kind == snapshot.None && to.Kind != snapshot.None,
		Deleted: from.Kind != snapshot.None && to.Kind == snapshot.None}
	notes := about(from, to)
	if from.Kind == snapshot.File && to.Kind == snapshot.File && from.Sum == to.Sum && from.Sum != "" {
		e.Note = strings.Join(notes, ", ")
		return e, nil
	}
	if why := uncompared(from, to); why != "" {
		e.Note = strings.Join(append(notes, why), ", ")
		return e, nil
	}
	before, err := l.content(ctx, from)
	var after []byte
	if err == nil {
		after, err = l.content(ctx, to)
	}
	switch {
	case errors.Is(err, snapshot.ErrUnkept):
		notes = append(notes, "its content is not kept any more")
	case errors.Is(err, snapshot.ErrDamaged):
		notes = append(notes, "what was kept of its content is damaged")
	case err != nil:
		return session.FileEdit{}, diskError("compare "+path, err)
	case isBinary(before) || isBinary(after):
		notes = append(notes, "binary")
	default:
		a, b := visible(before), visible(after)
		p := linediff.Between(a, b)
		e.Patch, e.Added, e.Removed = p.Text, p.Added, p.Removed
		notes = append(notes, ofText(before, after, a, b)...)
	}
	e.Note = strings.Join(notes, ", ")
	return e, nil
}

// content returns what a file contained, nothing for what is not a file.
func (l *Log) content(ctx context.Context, s snapshot.State) ([]byte, error) {
	if s.Kind != snapshot.File || s.Size == 0 && s.Sum == "" {
		return nil, nil
	}
	return l.lib.o.Store.Read(ctx, s)
}

// about returns what a patch does not have of two states, in a few words each.
func about(from, to snapshot.State) []string {
	var notes []string
	switch {
	case from.Kind == snapshot.Link && to.Kind == snapshot.Link:
		notes = append(notes, fmt.Sprintf("link to %s, was to %s", to.Target, from.Target))
	case to.Kind == snapshot.Link && from.Kind == snapshot.None, from.Kind == snapshot.Link && to.Kind == snapshot.None:
		notes = append(notes, "link to "+from.Target+to.Target)
	case to.Kind == snapshot.Link:
		notes = append(notes, "now a link to "+to.Target)
	case from.Kind == snapshot.Link:
		notes = append(notes, "was a link to "+from.Target)
	}
	switch {
	case to.Kind == snapshot.Other:
		notes = append(notes, "now something that is not a file")
	case from.Kind == snapshot.Other:
		notes = append(notes, "was something that is not a file")
	}
	const runs = 0o111
	switch {
	case from.Kind == snapshot.File && to.Kind == snapshot.File && from.Mode != to.Mode:
		notes = append(notes, fmt.Sprintf("mode %s to %s", octal(from.Mode), octal(to.Mode)))
	case from.Kind != snapshot.File && to.Kind == snapshot.File && to.Mode&runs != 0:
		notes = append(notes, "mode "+octal(to.Mode))
	}
	return notes
}

// uncompared says why two states are not compared line by line, "" if they are.
func uncompared(from, to snapshot.State) string {
	for _, s := range []snapshot.State{from, to} {
		if s.Kind == snapshot.File && !s.Whole() {
			return strings.TrimSuffix("not kept: "+clause(s.Unkept), ": ")
		}
	}
	if from.Size+to.Size > maxDiff {
		return "too large to compare, " + human.Size(max(from.Size, to.Size))
	}
	return ""
}

// ofText returns what a reader does not see in the patch of two texts.
func ofText(before, after []byte, a, b string) []string {
	switch {
	case a == b && !bytes.Equal(before, after):
		return []string{"only bytes that are not text differ"}
	case a == b || a == "" || b == "":
	case strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n"):
		return []string{"line ends"}
	}
	return nil
}

func visible(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }

func isBinary(content []byte) bool { return bytes.IndexByte(content, 0) >= 0 }

// octal returns a mode as chmod takes it.
func octal(m fs.FileMode) string {
	bits := uint32(m.Perm())
	for bit, flag := range map[uint32]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if m&flag != 0 {
			bits |= bit
		}
	}
	return fmt.Sprintf("%03o", bits)
}
