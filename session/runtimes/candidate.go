package runtimes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// candidate is a possible runtime: a program, a script, or the directory of a package.
type candidate struct {
	r      *Runtimes
	f      *family
	path   string
	source Source
}

// open returns the runtime, from its files alone.
func (c candidate) open() (Runtime, error) {
	info, err := os.Stat(c.path)
	if err != nil {
		return Runtime{}, err
	}
	if info.IsDir() {
		return c.openPackage(c.path)
	}
	if strings.EqualFold(filepath.Ext(c.path), ".cmd") {
		// npm's shim for Windows needs a shell, and is beside the packages.
		return c.openPackage(filepath.Join(filepath.Dir(c.path), "node_modules", filepath.FromSlash(c.f.main)))
	}
	return c.openProgram(c.path)
}

func (c candidate) runtime(path string) Runtime {
	return Runtime{Name: c.f.name, Title: c.f.title, Path: path, Source: c.source, Standing: StandingUnknown, versionFile: path}
}

// openProgram returns the runtime of a file. Links are followed, except for programs that depend on their name, such as the
// shims of version managers.
func (c candidate) openProgram(path string) (Runtime, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Runtime{}, err
	}
	kind, err := fileKind(real)
	if err != nil {
		return Runtime{}, err
	}
	m, dir := manifestNear(real)
	version, ours := c.f.versionOf(m)
	if kind == "" && !ours {
		return Runtime{}, &Failure{Reason: ReasonNotExecutable, What: path + " is not a program"}
	}
	if kind == "" || ours && filepath.Base(real) == c.f.loader {
		return c.openPackage(dir) // the package's program only starts the one of the platform, or reports that it is missing
	}
	rt := c.runtime(real)
	rt.Kind = kind
	if version == "" && isVersion(filepath.Base(real)) {
		version = filepath.Base(real) // the vendor's installer names files by version
	}
	if version == "" {
		rt.Path = path
		version = c.r.versions.get(real)
		rt.versionFile = real
	}
	rt.Version = version
	return c.withArgv(rt)
}

// withArgv adds the command line.
func (c candidate) withArgv(rt Runtime) (Runtime, error) {
	if rt.Kind != KindScript {
		if info, err := os.Stat(rt.Path); err != nil {
			return Runtime{}, err
		} else if !executable(info) {
			return Runtime{}, &Failure{Reason: ReasonNotExecutable, What: rt.Path + " is not executable"}
		}
		rt.Argv = []string{rt.Path}
		return c.r.unpacked(c.f, rt), nil
	}
	node := c.r.env.look("node")
	if node == "" {
		return Runtime{}, noNode(fmt.Sprintf("%s %s needs node, which is not on PATH", c.f.title, rt.Version))
	}
	rt.Argv = []string{node, rt.Path}
	return rt, nil
}

// unpacked replaces the command line with that of the faster program which the runtime has unpacked, if there is one.
func (r *Runtimes) unpacked(f *family, rt Runtime) Runtime {
	if f.unpacked == nil || rt.Version == "" || rt.Kind != KindNative {
		return rt
	}
	if path := f.unpacked(r.env, rt.Version, r.o.Platform); path != "" && filepath.Dir(path) != filepath.Dir(rt.Path) {
		rt.Argv = []string{path}
	}
	return rt
}

// openPackage returns the runtime in the directory of a package, or in the optional dependency with its program.
func (c candidate) openPackage(dir string) (Runtime, error) {
	m, err := readManifest(filepath.Join(dir, manifestFile))
	if err != nil {
		return Runtime{}, err
	}
	version, ours := c.f.versionOf(m)
	if !ours {
		return Runtime{}, &Failure{Reason: ReasonBadPath, What: dir + " holds another package"}
	}
	native := filepath.FromSlash(c.f.part(c.r.o.Platform))
	for _, at := range []string{dir, filepath.Join(dir, "node_modules", native), filepath.Join(dir, "..", "..", native)} {
		for _, name := range append([]string{m.program()}, c.f.programs...) {
			path := filepath.Join(at, filepath.FromSlash(name))
			if name == "" || name == c.f.loader || !filepath.IsLocal(filepath.FromSlash(name)) {
				continue
			}
			kind, err := fileKind(path)
			if err != nil || kind == "" {
				continue
			}
			rt := c.runtime(path)
			rt.Kind, rt.Version = kind, version
			if version == "" {
				rt.Version = c.r.versions.get(path)
			}
			return c.withArgv(rt)
		}
	}
	return Runtime{}, &Failure{Reason: ReasonBadPath, What: dir + " has the package but not its program: its platform's part is not installed"}
}

// fileKind returns the kind of a program by its first bytes, "" for any other file.
func fileKind(path string) (Kind, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 128)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return "", err
	}
	head = head[:n]
	line, _, _ := bytes.Cut(head, []byte("\n"))
	switch ext := filepath.Ext(path); {
	case ext == ".js" || ext == ".mjs" || ext == ".cjs":
		return KindScript, nil
	case bytes.HasPrefix(line, []byte("#!")) && bytes.Contains(line, []byte("node")):
		return KindScript, nil
	case bytes.HasPrefix(line, []byte("#!")):
		return KindWrapper, nil
	}
	for _, magic := range []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "\xca\xfe\xba\xbe"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return KindNative, nil
		}
	}
	return "", nil
}

const manifestFile = "package.json"

// maxManifest bounds the size of a package.json, in bytes.
const maxManifest = 1 << 20

// manifest is the part of a package.json that is read.
type manifest struct {
	Name              string          `json:"name"`
	Version           string          `json:"version"`
	ClaudeCodeVersion string          `json:"claudeCodeVersion"`
	Bin               json.RawMessage `json:"bin"`
}

// program returns the file of the package's command, "" if it has none or several.
func (m manifest) program() string {
	var one string
	if json.Unmarshal(m.Bin, &one) == nil {
		return one
	}
	var many map[string]string
	if json.Unmarshal(m.Bin, &many) == nil && len(many) == 1 {
		for _, path := range many {
			return path
		}
	}
	return ""
}

func readManifest(path string) (manifest, error) {
	data, err := readBounded(path, maxManifest)
	if err != nil {
		return manifest{}, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return manifest{}, &Failure{Reason: ReasonBadPath, What: path + " cannot be read as JSON", Err: err}
	}
	if !isVersion(m.Version) {
		m.Version = ""
	}
	if !isVersion(m.ClaudeCodeVersion) {
		m.ClaudeCodeVersion = ""
	}
	return m, nil
}

// manifestNear returns the package.json beside a program, or one directory above.
func manifestNear(path string) (m manifest, dir string) {
	dir = filepath.Dir(path)
	for range 2 {
		if m, err := readManifest(filepath.Join(dir, manifestFile)); err == nil {
			return m, dir
		}
		dir = filepath.Dir(dir)
	}
	return manifest{}, ""
}

// readBounded reads a regular file. A file above the limit is an error.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("longer than %d bytes", limit)}
	}
	return data, err
}
