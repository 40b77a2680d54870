package builtin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/gitdir"
	"parley/internal/regular"
)

// mostInstructions bounds the instructions in a request, in bytes.
const mostInstructions = 64 << 10

// instructionNames are the names of instruction files, in their order within a directory.
var instructionNames = []string{"AGENTS.md", "CLAUDE.md"}

// instructions returns the text of the instruction files for dir, the most general first, each with its path. left are
// files that were left out because they are links to files elsewhere: a repository must not choose which of the user's
// files are sent.
func instructions(ctx context.Context, configDir, home, dir string) (text string, left []string) {
	g := gathering{ctx: ctx}
	if configDir != "" { // the user's own may be a link to anywhere
		g.add(filepath.Join(configDir, instructionNames[0]))
	}
	dirs := instructionDirs(ctx, home, dir)
	for _, d := range dirs {
		for _, name := range instructionNames {
			if ctx.Err() != nil || g.text.Len() >= mostInstructions {
				return g.text.String(), left
			}
			path := filepath.Join(d, name)
			if strays(path, dirs[0]) {
				left = append(left, path)
				continue
			}
			g.add(path)
		}
	}
	return g.text.String(), left
}

// strays reports whether a file is a link out of the tree below top, or into the git directory.
func strays(path, top string) bool {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	root, err := filepath.EvalSymlinks(top)
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false // there is nothing to send
	}
	rel, relErr := filepath.Rel(root, real)
	return err != nil || relErr != nil || !filepath.IsLocal(rel) || slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), ".git")
}

// gathering is the text of the instruction files so far.
type gathering struct {
	ctx  context.Context
	text strings.Builder
	seen [][]byte
}

// add adds a file, unless it is missing or has the same content as an earlier one.
func (g *gathering) add(path string) {
	content, err := regular.ReadFile(g.ctx, path, mostInstructions+1, regular.FollowLinks)
	if errors.Is(err, regular.ErrTooLarge) {
		err = nil // the beginning is used
	}
	text := bytes.TrimSpace(content)
	if err != nil || len(text) == 0 || slices.ContainsFunc(g.seen, func(s []byte) bool { return bytes.Equal(s, text) }) {
		return
	}
	g.seen = append(g.seen, text)
	if left := mostInstructions - g.text.Len(); len(text) > left {
		for left > 0 && !utf8.RuneStart(text[left]) {
			left--
		}
		text = append(slices.Clone(text[:max(left, 0)]), "\n(cut here: there are too many instructions)"...)
	}
	fmt.Fprintf(&g.text, "\n<instructions file=%q>\n%s\n</instructions>\n", path, strings.ToValidUTF8(string(text), "\uFFFD"))
}

// instructionDirs returns the directories from the root of the repository down to dir. Outside of a repository they
// begin below the home directory; outside of both there is only dir.
func instructionDirs(ctx context.Context, home, dir string) []string {
	repository, ok := gitdir.Root(ctx, dir)
	top := repository.Dir
	if !ok {
		top = dir
		if home != "" && strings.HasPrefix(dir, filepath.Clean(home)+string(filepath.Separator)) {
			for filepath.Dir(top) != filepath.Clean(home) {
				top = filepath.Dir(top)
			}
		}
	}
	dirs := []string{dir}
	for d := dir; d != top && d != filepath.Dir(d); {
		d = filepath.Dir(d)
		dirs = append(dirs, d)
	}
	slices.Reverse(dirs)
	return dirs
}
