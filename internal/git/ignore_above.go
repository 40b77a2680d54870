package git

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// MaxIgnoreFile bounds the size of an ignore file that is read, in bytes.
const MaxIgnoreFile = 1 << 20

// IgnoresAbove reads the ignore files outside a directory that apply in it: the user's (core.excludesFile; may be empty or
// missing), the repository's, and those of the directories between its root and the directory. Outside a repository
// only the user's applies. It skips irregular files. When ctx ends, files may be missing.
func IgnoresAbove(ctx context.Context, dir, userFile string) Ignores {
	var s Ignores
	if userFile != "" {
		s = s.read(ctx, userFile, "", safefs.FollowLinks)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return s
	}
	root, ok := Root(ctx, abs)
	if !ok {
		return s
	}
	rel, err := filepath.Rel(root.Dir, abs)
	if err != nil {
		return s
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if rel == "." {
		parts = nil
	}
	s = s.read(ctx, filepath.Join(root.Common, "info", "exclude"), strings.Join(parts, "/"), safefs.FollowLinks)
	for i := range parts {
		s = s.read(ctx, filepath.Join(root.Dir, filepath.Join(parts[:i]...), ".gitignore"), strings.Join(parts[i:], "/"), safefs.NoLinks)
	}
	return s
}

// NestedIgnores reads the ignore files outside of a repository below the root of a walk that apply in it: the user's and the
// repository's. base is its path from the root of the walk, with slashes. Rules of the outer repository do not apply there.
func NestedIgnores(ctx context.Context, dir, base, userFile string) Ignores {
	var s Ignores
	files := []string{userFile}
	if r, err := At(ctx, dir, safefs.NoLinks); err == nil {
		files = append(files, filepath.Join(r.Common, "info", "exclude"))
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		if text, err := safefs.ReadFile(ctx, file, MaxIgnoreFile, safefs.FollowLinks); err == nil {
			s = s.With(base, string(text))
		}
	}
	return s
}

// ParentIgnores reads the files of a name, such as .ignore, in all directories above one.
func ParentIgnores(ctx context.Context, dir, name string) Ignores {
	var s Ignores
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir[len(filepath.VolumeName(dir)):]), "/"), "/")
	for i := range parts {
		above := filepath.Join(filepath.VolumeName(dir)+string(filepath.Separator), filepath.Join(parts[:i]...))
		s = s.read(ctx, filepath.Join(above, name), strings.Join(parts[i:], "/"), safefs.NoLinks)
	}
	return s
}

// UserIgnoreFile returns the path of the file with what the user ignores in all repositories, as git finds it: core.excludesFile
// of the user's configuration, otherwise git/ignore. home may be empty; the file may be missing.
func UserIgnoreFile(ctx context.Context, home, xdgConfig string) string {
	if home == "" {
		return ""
	}
	if xdgConfig == "" {
		xdgConfig = filepath.Join(home, ".config")
	}
	file := filepath.Join(xdgConfig, "git", "ignore")
	for _, config := range []string{filepath.Join(xdgConfig, "git", "config"), filepath.Join(home, ".gitconfig")} {
		value := ReadConfig(ctx, config)["core.excludesfile"]
		if rest, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, rest)
		}
		if filepath.IsAbs(value) {
			file = value
		}
	}
	return file
}

// read adds a file. above is the path from its directory to the root of the walk.
func (s Ignores) read(ctx context.Context, file, above string, links safefs.Links) Ignores {
	text, err := safefs.ReadFile(ctx, file, MaxIgnoreFile, links)
	if err != nil {
		return s
	}
	r := parse("", string(text))
	r.above = above
	return s.with(r)
}
