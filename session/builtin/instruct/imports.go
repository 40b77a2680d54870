package instruct

import (
	"path/filepath"
	"strings"

	"parley/internal/lazyregexp"
)

const (
	// maxDepth bounds imports of imports, maxImports those of one file.
	maxDepth   = 5
	maxImports = 20
)

// imports adds the files that a file imports.
func (f *finder) imports(file File, depth int) {
	if depth >= maxDepth {
		return
	}
	for i, ref := range references(file.Text) {
		if i >= maxImports {
			f.leave(file.Path, "it imports more files than parley reads")
			return
		}
		path, ok := f.resolve(file, ref)
		switch {
		case !ok:
		case file.Own && !below(f.o.Home, path) && !below(f.o.ConfigDir, path), !file.Own && (!below(f.found.Top, path) || strays(f.found.Top, path)):
			f.leave(path, filepath.Base(file.Path)+" imports it from outside this project")
		default:
			f.include(File{Path: path, Own: file.Own, By: file.Path}, MaxText, depth+1)
		}
	}
}

// resolve returns the file that a reference names.
func (f *finder) resolve(file File, ref string) (string, bool) {
	rest, home := strings.CutPrefix(ref, "~/")
	switch {
	case home && f.o.Home == "":
		return "", false
	case home:
		return filepath.Join(f.o.Home, filepath.FromSlash(rest)), true
	case filepath.IsAbs(ref):
		return filepath.Clean(ref), true
	}
	return filepath.Join(filepath.Dir(file.Path), filepath.FromSlash(ref)), true
}

// below reports whether a path is below a directory, by name.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

// reference matches "@path" at the beginning of a word. A path has a dot or a slash, which names of people lack.
var reference = lazyregexp.New(`(?:^|[\s(])@((?:~/|\.{0,2}/)?[^\s@` + "`" + `)]*[./][^\s@` + "`" + `)]*)`)

// references returns the files that a markdown text imports, in order, without those in code.
func references(text string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fence = trimmed[:3]
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(withoutCode(line), -1) {
			if ref := strings.TrimRight(m[1], ".,;:!?'\""); ref != "" && !strings.HasSuffix(ref, "/") {
				out = append(out, ref)
			}
		}
	}
	return out
}

// withoutCode returns a line with its code spans blank.
func withoutCode(line string) string {
	var b strings.Builder
	for {
		begin := strings.IndexByte(line, '`')
		if begin < 0 {
			break
		}
		run := len(line[begin:]) - len(strings.TrimLeft(line[begin:], "`"))
		end := strings.Index(line[begin+run:], line[begin:begin+run])
		if end < 0 {
			break
		}
		b.WriteString(line[:begin] + "x")
		line = line[begin+run+end+run:]
	}
	return b.String() + line
}
