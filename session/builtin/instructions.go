package builtin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostInstructions is how many bytes of instructions go along with a request.
const mostInstructions = 64 << 10

// instructionNames are the files that count, in each directory in this order.
var instructionNames = []string{"AGENTS.md", "CLAUDE.md"}

// instructions collects the instruction files that hold in dir, the most general first, each with its path.
func instructions(ctx context.Context, configDir, home, dir string) string {
	var b strings.Builder
	add := func(path string, seen *[][]byte) {
		content, err := readBounded(path, mostInstructions)
		text := bytes.TrimSpace(content)
		if err != nil || len(text) == 0 || slices.ContainsFunc(*seen, func(s []byte) bool { return bytes.Equal(s, text) }) {
			return
		}
		*seen = append(*seen, text)
		if left := mostInstructions - b.Len(); len(text) > left {
			for left > 0 && !utf8.RuneStart(text[left]) {
				left--
			}
			text = append(slices.Clone(text[:max(left, 0)]), "\n(cut here: there are too many instructions)"...)
		}
		fmt.Fprintf(&b, "\n<instructions file=%q>\n%s\n</instructions>\n", path, strings.ToValidUTF8(string(text), "\uFFFD"))
	}
	var seen [][]byte
	if configDir != "" {
		add(filepath.Join(configDir, instructionNames[0]), &seen)
	}
	for _, d := range instructionDirs(home, dir) {
		for _, name := range instructionNames {
			if ctx.Err() != nil || b.Len() >= mostInstructions {
				return b.String()
			}
			add(filepath.Join(d, name), &seen)
		}
	}
	return b.String()
}

// instructionDirs are the directories from the root of the repository down to dir. Outside of a repository they begin
// below the home directory, and outside of that dir stands alone.
func instructionDirs(home, dir string) []string {
	top, ok := gitRoot(dir)
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

// readBounded reads the beginning of a regular file.
func readBounded(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, os.ErrInvalid
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
