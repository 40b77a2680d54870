package runtimes

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
)

func TestInstallPinned(t *testing.T) {
	b := newBench(t)
	var stages []Stage
	i, err := b.Install(t.Context(), "toy", "", func(p Progress) {
		if p.Name != "toy" || p.Version != "2.0.0" || p.Done > p.Total && p.Total > 0 {
			t.Errorf("progress %+v", p)
		}
		stages = append(stages, p.Stage)
	})
	if err != nil {
		t.Fatal(err)
	}
	if i.Version != "2.0.0" || !i.Pinned || i.Already || i.Package != "@toys/toy-linux-x64@2.0.0" || i.Standing != StandingTested ||
		i.Size < int64(len(elf)) || !i.Since.Equal(b.clock.now()) {
		t.Errorf("installed %+v", i)
	}
	if !slices.IsSortedFunc(stages, func(a, b Stage) int { return rank(a) - rank(b) }) {
		t.Errorf("stages %v", stages)
	}
	if got := b.leftovers(); !slices.Equal(got, []string{"2.0.0"}) {
		t.Errorf("left behind %v", got)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{"toy": 0o700, "package.json": 0o600, receiptFile: 0o600, ".": 0o700 | fs.ModeDir} {
			if info, err := os.Stat(filepath.Join(i.Dir, name)); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	found, err := b.Find("toy")
	if err != nil || found.Source != SourceInstalled || found.Version != "2.0.0" || len(found.Notices) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}

	again, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil || !again.Already || b.reg.called("view") != 1 || b.reg.called("archive") != 1 || b.reg.called("pack") != 0 {
		t.Errorf("again %+v, %v, calls %v", again, err, b.reg.calls)
	}
}

func rank(s Stage) int {
	return slices.Index([]Stage{StageWaiting, StageAsking, StageDownloading, StageUnpacking, StageDone}, s)
}

func TestInstallOtherVersions(t *testing.T) {
	script := func(version string) []byte {
		return archive(entry{name: "package/package.json", body: `{"name":"@toys/toy","version":"` + version + `","bin":{"toy":"cli.js"}}`},
			entry{name: "package/cli.js", body: "#!/usr/bin/env node\n"})
	}
	for name, tc := range map[string]struct {
		packages map[string][]byte
		tags     map[string]string
		ask      string
		version  string
		pkg      string
		kind     Kind
		standing Standing
	}{
		"native": {packages: map[string][]byte{"@toys/toy-linux-x64@1.5.0": packageOf("@toys/toy-linux-x64", "1.5.0")},
			ask: "1.5.0", version: "1.5.0", pkg: "@toys/toy-linux-x64@1.5.0", kind: KindNative, standing: StandingBetween},
		"script where there is no native one": {packages: map[string][]byte{"@toys/toy@1.2.0": script("1.2.0")},
			ask: "1.2.0", version: "1.2.0", pkg: "@toys/toy@1.2.0", kind: KindScript, standing: StandingBetween},
		"latest": {packages: map[string][]byte{"@toys/toy-linux-x64@3.1.0": packageOf("@toys/toy-linux-x64", "3.1.0")},
			tags: map[string]string{"@toys/toy-linux-x64@latest": "3.1.0"},
			ask:  Latest, version: "3.1.0", pkg: "@toys/toy-linux-x64@3.1.0", kind: KindNative, standing: StandingNewer},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.reg.packages, b.reg.tags = tc.packages, tc.tags
			i, err := b.Install(t.Context(), "toy", tc.ask, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i.Version != tc.version || i.Package != tc.pkg || i.Pinned || i.Standing != tc.standing {
				t.Errorf("installed %+v", i)
			}
			found, err := b.Find("toy")
			if err != nil || found.Version != tc.version || found.Kind != tc.kind {
				t.Errorf("found %+v, %v", found, err)
			}
			if newer := len(found.Notices) == 1 && found.Notices[0].Reason == ReasonNewer; newer != (tc.standing == StandingNewer) {
				t.Errorf("notices %+v", found.Notices)
			}
			if i, err = b.Install(t.Context(), "toy", tc.ask, nil); err != nil || !i.Already || b.reg.called("archive") != 1 {
				t.Errorf("again %+v, %v, calls %v", i, err, b.reg.calls)
			}
		})
	}
}

// TestInstallLatestThatIsTested checks the archive against parley's own hash, not the registry's.
func TestInstallLatestThatIsTested(t *testing.T) {
	b := newBench(t)
	b.reg.tags = map[string]string{"@toys/toy-linux-x64@latest": "2.0.0"}
	i, err := b.Install(t.Context(), "toy", Latest, nil)
	if err != nil || i.Version != "2.0.0" || !i.Pinned || i.Standing != StandingTested {
		t.Errorf("installed %+v, %v", i, err)
	}
	b = newBench(t)
	b.reg.tags = map[string]string{"@toys/toy-linux-x64@latest": "2.0.0"}
	b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("@toys/toy-linux-x64", "2.0.0", entry{name: "package/more", body: "x"})
	if i, err := b.Install(t.Context(), "toy", Latest, nil); ReasonOf(err) != ReasonMismatch || len(b.leftovers()) != 0 {
		t.Errorf("installed %+v, %v", i, err)
	}
}

// full is a disk that takes so many bytes.
type full struct {
	diskFiles
	left      int
	renameErr error
}

func (f *full) Create(path string, perm fs.FileMode) (io.WriteCloser, error) {
	w, err := f.diskFiles.Create(path, perm)
	if err != nil {
		return nil, err
	}
	return &fullFile{w, f}, nil
}

func (f *full) Rename(from, to string) error {
	if f.renameErr != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: f.renameErr}
	}
	return f.diskFiles.Rename(from, to)
}

type fullFile struct {
	io.WriteCloser
	disk *full
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.disk.left -= len(p); f.disk.left < 0 {
		return 0, &fs.PathError{Op: "write", Path: "package", Err: syscall.ENOSPC}
	}
	return f.WriteCloser.Write(p)
}

func TestInstallFailures(t *testing.T) {
	good := packageOf("@toys/toy-linux-x64", "2.0.0")
	// another replaces the archive of a version that is not pinned, so that its hash fits.
	another := func(data []byte) func(b *bench) {
		return func(b *bench) { b.reg.packages["@toys/toy-linux-x64@1.5.0"] = data }
	}
	with := func(e entry) func(b *bench) { return another(packageOf("@toys/toy-linux-x64", "1.5.0", e)) }
	for name, tc := range map[string]struct {
		prepare func(b *bench)
		ask     string // 2.0.0 if empty
		reason  Reason
		kind    session.Kind
		next    string // part of what to do
	}{
		"no network":          {prepare: func(b *bench) { b.reg.npmError = "ENOTFOUND" }, reason: ReasonOffline, kind: session.KindNetwork, next: "check the network"},
		"refused connection":  {prepare: func(b *bench) { b.reg.srv.Close() }, reason: ReasonOffline, kind: session.KindNetwork, next: "check the network"},
		"login wanted":        {prepare: func(b *bench) { b.reg.npmError = "E401" }, reason: ReasonDenied, kind: session.KindForbidden, next: "npm login"},
		"unknown certificate": {prepare: func(b *bench) { b.reg.npmError = "SELF_SIGNED_CERT_IN_CHAIN" }, reason: ReasonCertificate, kind: session.KindNetwork, next: "cafile"},
		"npm's disk full":     {prepare: func(b *bench) { b.reg.npmError = "ENOSPC" }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"npm's own trouble": {prepare: func(b *bench) {
			b.reg.npmError, b.reg.summary = "EWEIRD", "at https://user:"+secret+"@host/x with _authToken="+secret
		}, reason: ReasonNPM, kind: session.KindRuntime, next: "npm view @toys/toy-linux-x64@2.0.0"},
		"no such version":          {ask: "1.7.0", reason: ReasonNoSuchVersion, kind: session.KindNotFound, next: "another version"},
		"no such version, old npm": {ask: "1.7.0", prepare: func(b *bench) { b.reg.silent = true }, reason: ReasonNoSuchVersion, kind: session.KindNotFound, next: "another version"},
		"too old":                  {ask: "0.9.0", reason: ReasonTooOld, kind: session.KindInvalid, next: "parley runtimes install toy"},
		"no version":               {ask: "../up", reason: ReasonInvalidVersion, kind: session.KindInvalid, next: "toy@2.0.0"},
		"npm missing":              {prepare: func(b *bench) { b.o.NPM = nil }, reason: ReasonNoNPM, kind: session.KindRuntime, next: "install Node.js"},
		"npm gone":                 {prepare: func(b *bench) { b.o.NPM = []string{filepath.Join(b.bin, "npm")} }, reason: ReasonNoNPM, kind: session.KindRuntime, next: "install Node.js"},
		"npm without node":         {prepare: npmWithoutNode, reason: ReasonNoNode, kind: session.KindRuntime, next: "Node.js 18"},
		"script without node":      {ask: "1.0.0", prepare: func(b *bench) { b.o.Environ[0] = "PATH=" }, reason: ReasonNoNode, kind: session.KindRuntime, next: "Node.js 18"},
		"unsupported system":       {prepare: func(b *bench) { b.o.Platform = Platform{OS: "plan9", Arch: "386"} }, reason: ReasonPlatform, kind: session.KindUnsupported, next: "parley runtimes install toy@1.0.0"},
		"musl without a package":   {prepare: func(b *bench) { b.o.Platform = Platform{OS: "linux", Arch: "arm64", Musl: true} }, reason: ReasonPlatform, kind: session.KindUnsupported, next: "--agent builtin"},
		"announced as another":     {prepare: func(b *bench) { b.reg.announce = integrityOf([]byte("other")) }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "can be trusted"},
		"another archive": {prepare: func(b *bench) {
			b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("evil", "2.0.0")
			b.reg.announce = integrityOf(good)
		}, reason: ReasonMismatch, kind: session.KindCorrupt, next: "can be trusted"},
		"no hash":                    {ask: "1.5.0", prepare: func(b *bench) { another(good)(b); b.reg.noHash = true }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "another version"},
		"only a weak hash":           {ask: "1.5.0", prepare: func(b *bench) { another(good)(b); b.reg.announce = "sha1-AAAA" }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "another version"},
		"connection cut":             {prepare: func(b *bench) { b.reg.body = cut(good, len(good)/2) }, reason: ReasonOffline, kind: session.KindNetwork, next: "try again"},
		"silent":                     {prepare: func(b *bench) { b.o.StallAfter = 20 * time.Millisecond; b.reg.body = silent(good) }, reason: ReasonStalled, kind: session.KindStalled, next: "try again"},
		"archive cut short":          {ask: "1.5.0", prepare: another(good[:len(good)-20]), reason: ReasonArchive, kind: session.KindCorrupt, next: "try again"},
		"no archive":                 {ask: "1.5.0", prepare: another([]byte("<html>sign in</html>")), reason: ReasonArchive, kind: session.KindCorrupt, next: "try again"},
		"empty archive":              {ask: "1.5.0", prepare: another(archive()), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"traversal":                  {ask: "1.5.0", prepare: with(entry{name: "package/../../../evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"traversal at once":          {ask: "1.5.0", prepare: with(entry{name: "../evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"absolute name":              {ask: "1.5.0", prepare: with(entry{name: "/tmp/evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"backslashes":                {ask: "1.5.0", prepare: with(entry{name: `package/..\..\evil`, body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"symbolic link":              {ask: "1.5.0", prepare: with(entry{name: "package/link", kind: tar.TypeSymlink, link: "/etc"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"hard link":                  {ask: "1.5.0", prepare: with(entry{name: "package/link", kind: tar.TypeLink, link: "/etc/passwd"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"device":                     {ask: "1.5.0", prepare: with(entry{name: "package/tty", kind: tar.TypeChar}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a name twice":               {ask: "1.5.0", prepare: with(entry{name: "package/toy", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a receipt of its own":       {ask: "1.5.0", prepare: with(entry{name: "package/" + receiptFile, body: "{}"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a file as directory":        {ask: "1.5.0", prepare: with(entry{name: "package/toy/x", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"another version":            {ask: "1.5.0", prepare: another(packageOf("@toys/toy-linux-x64", "1.6.0")), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"no program":                 {ask: "1.5.0", prepare: another(archive(entry{name: "package/package.json", body: `{"name":"@toys/toy","version":"1.5.0"}`})), reason: ReasonPlatform, kind: session.KindUnsupported, next: "toy@1.0.0"},
		"disk full, downloading":     {prepare: func(b *bench) { b.o.Files = &full{left: len(good) / 2} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, unpacking":       {prepare: func(b *bench) { b.o.Files = &full{left: len(good) + 60} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, at the receipt":  {prepare: func(b *bench) { b.o.Files = &full{left: len(good) + len(elf) + 80} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, at the very end": {prepare: func(b *bench) { b.o.Files = &full{left: 1 << 20, renameErr: syscall.ENOSPC} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"cache is a file":            {prepare: func(b *bench) { file(b.t, b.o.Dir, "", 0o600) }, reason: ReasonDisk, kind: session.KindDisk, next: "XDG_CACHE_HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tc.prepare != nil {
				tc.prepare(b)
			}
			ask := tc.ask
			if ask == "" {
				ask = "2.0.0"
			}
			_, err := b.Install(t.Context(), "toy", ask, nil)
			if ReasonOf(err) != tc.reason || session.KindOf(err) != tc.kind {
				t.Fatalf("%v: reason %q, kind %q; want %q, %q", err, ReasonOf(err), session.KindOf(err), tc.reason, tc.kind)
			}
			e, ok := errors.AsType[*session.Error](err)
			if !ok || !strings.Contains(e.Op, "install") || !strings.Contains(e.Op, "toy") {
				t.Errorf("%v does not say what was being done", err)
			}
			text := err.Error()
			if !strings.Contains(text, tc.next) {
				t.Errorf("%q does not say %q", text, tc.next)
			}
			for _, leak := range []string{secret, "127.0.0.1", "http://", "https://"} {
				if strings.Contains(text, leak) {
					t.Errorf("%q tells an address", text)
				}
			}
			if got := b.leftovers(); len(got) != 0 {
				t.Errorf("left behind %v", got)
			}
		})
	}
}

func npmWithoutNode(b *bench) {
	b.o.NPM = nil
	dir := b.t.TempDir()
	name := "npm"
	if runtime.GOOS == "windows" {
		name = "npm.exe"
	}
	program(b.t, filepath.Join(dir, name), "#!/bin/sh\n")
	b.o.Environ[0] = "PATH=" + dir
}

// cut serves the beginning of an archive and breaks the connection.
func cut(data []byte, at int) func() http.Handler {
	return func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(data[:at])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
	}
}

// silent serves the beginning of an archive and then nothing.
func silent(data []byte) func() http.Handler {
	return func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Write(data[:10])
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		})
	}
}

// TestNpmFetchesWhatWeCannot lets npm download where a plain request gets nothing.
func TestNpmFetchesWhatWeCannot(t *testing.T) {
	for name, status := range map[string]int{"login": 401, "forbidden": 403, "moved away": 404, "broken": 502} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.reg.status = status
			if i, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil || i.Version != "2.0.0" {
				t.Fatalf("%+v, %v", i, err)
			}
			if b.reg.called("archive") != 1 || b.reg.called("pack") != 1 {
				t.Errorf("calls %v", b.reg.calls)
			}
		})
	}
	t.Run("and is checked as well", func(t *testing.T) {
		b := newBench(t)
		b.reg.status = 401
		b.reg.announce = integrityOf(b.reg.packages["@toys/toy-linux-x64@2.0.0"])
		b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("evil", "2.0.0")
		if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); ReasonOf(err) != ReasonMismatch {
			t.Fatal(err)
		}
	})
}

// TestInstallAdoptsTheWinner has another process finish first although the lock did not keep it away.
func TestInstallAdoptsTheWinner(t *testing.T) {
	b := newBench(t)
	winner := newBench(t)
	if _, err := winner.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	b.o.Files = &raced{from: filepath.Join(winner.o.Dir, "toy", "2.0.0")}
	i, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil || !strings.HasPrefix(i.Dir, b.o.Dir) {
		t.Fatalf("%+v, %v", i, err)
	}
	if got := b.leftovers(); !slices.Equal(got, []string{"2.0.0"}) {
		t.Errorf("left behind %v", got)
	}
}

// raced puts another version in place right before the first rename.
type raced struct {
	diskFiles
	from string
}

func (f *raced) Rename(from, to string) error {
	if f.from != "" {
		if err := os.Rename(f.from, to); err != nil {
			return err
		}
		f.from = ""
	}
	return f.diskFiles.Rename(from, to)
}

func TestSweep(t *testing.T) {
	b := newBench(t)
	home := filepath.Join(b.o.Dir, "toy")
	half := func(name string) string { return file(t, filepath.Join(home, name, "toy"), elf, 0o755) }
	half(stagingPrefix + "2.0.0-1")
	half(stagingPrefix + "1.5.0-22")
	half(stagingPrefix + "latest-3")
	half(trashPrefix + "9")
	half("2.0.0") // without a receipt
	half("1.4.0")
	busy := half(stagingPrefix + "1.6.0-5")
	half("1.6.0")
	unlock, err := lock(context.Background(), b.lockFile(b.families[0], "1.6.0"), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	file(t, filepath.Join(home, "notes", "mine"), "x", 0o600)

	if list := b.List(); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
	if _, err := b.Find("toy"); ReasonOf(err) != ReasonNotFound {
		t.Errorf("found half a runtime: %v", err)
	}
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	if got, want := b.leftovers(), []string{filepath.Base(filepath.Dir(busy)), "1.6.0", "2.0.0", "notes"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

// TestShortProgramIsNoRuntime is what a power cut can leave: a receipt, and a program without its end.
func TestShortProgramIsNoRuntime(t *testing.T) {
	b := newBench(t)
	i, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(i.Dir, "toy"), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Find("toy"); ReasonOf(err) != ReasonNotFound {
		t.Fatalf("found: %v", err)
	}
	if i, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil || i.Already {
		t.Fatalf("%+v, %v", i, err)
	}
	if _, err := b.Find("toy"); err != nil {
		t.Fatal(err)
	}
}
