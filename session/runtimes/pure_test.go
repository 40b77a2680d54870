package runtimes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	c := newClock()
	var told []Progress
	m := &meter{now: c.now, report: func(p Progress) { told = append(told, p) }, p: Progress{Name: "toy", Version: "2.0.0"}}
	m.stage(StageDownloading, 1000)
	m.add(10) // at once: not reported
	c.move(50 * time.Millisecond)
	m.add(10) // too soon
	c.move(50 * time.Millisecond)
	m.add(30) // 50 bytes in 100 ms
	c.move(3 * time.Second)
	m.add(450) // 150 a second for as long as it takes to settle
	m.stage(StageUnpacking, -1)
	want := []Progress{
		{Stage: StageDownloading, Total: 1000},
		{Stage: StageDownloading, Done: 50, Total: 1000, PerSecond: 500, Left: 1900 * time.Millisecond},
		{Stage: StageDownloading, Done: 500, Total: 1000, PerSecond: 150, Left: 500 * time.Second / 150},
		{Stage: StageUnpacking},
	}
	if len(told) != len(want) {
		t.Fatalf("told %+v", told)
	}
	for i, w := range want {
		w.Name, w.Version = "toy", "2.0.0"
		if told[i].Left.Round(time.Millisecond) == w.Left.Round(time.Millisecond) {
			told[i].Left = w.Left
		}
		if told[i] != w {
			t.Errorf("%d: told %+v, want %+v", i, told[i], w)
		}
	}
}

func TestNpmErrorCodes(t *testing.T) {
	pkg := npmPackage{name: "@toys/toy", version: "2.0.0"}
	for code, want := range map[string]Reason{
		"E404": ReasonNoSuchVersion, "ETARGET": ReasonNoSuchVersion, "ENOTFOUND": ReasonOffline, "EAI_AGAIN": ReasonOffline,
		"ERR_SOCKET_TIMEOUT": ReasonOffline, "E503": ReasonOffline, "E403": ReasonDenied, "ENEEDAUTH": ReasonDenied,
		"UNABLE_TO_GET_ISSUER_CERT_LOCALLY": ReasonCertificate, "CERT_HAS_EXPIRED": ReasonCertificate,
		"UNABLE_TO_VERIFY_LEAF_SIGNATURE": ReasonCertificate, "ENOSPC": ReasonDisk, "EACCES": ReasonDisk, "": ReasonNPM, "EBADENGINE": ReasonNPM,
	} {
		f := npmFailures(pkg, code)
		if f.Reason != want || f.What == "" || f.Next == "" {
			t.Errorf("%s: %+v", code, f)
		}
		if kinds[f.Reason] == "" {
			t.Errorf("%s: reason %s has no kind", code, f.Reason)
		}
	}
	for text, want := range map[string]string{
		"npm ERR! code E404\nnpm ERR! 404 Not Found":         "E404",
		"npm warn old config\nnpm error code ECONNREFUSED\n": "ECONNREFUSED",
		"env: 'node': No such file or directory":             "",
		"exit code 3":                                        "",
	} {
		if got := codeIn([]byte(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestWithoutAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"request to https://u:p@host/x failed": "request to ... failed",
		"//host/:_authToken=abc is not valid":  "... is not valid",
		"_authToken = abc":                     "...",
		"npm_0123456789abcdef and more":        "... and more",
		"plain  words\nin two lines":           "plain words in two lines",
	} {
		if got := withoutAddresses(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := withoutAddresses(strings.Repeat("wörd ", 100)); len(got) > 210 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestSha512Of(t *testing.T) {
	good := integrityOf([]byte("x"))
	for in, want := range map[string]int{
		"": 0, good: 1, good + " " + good: 2, "sha1-AAAA " + good: 1, good + "?opt": 1, "sha512-short": 0, "sha512-!!!!": 0,
	} {
		if got := len(sha512Of(in)); got != want {
			t.Errorf("%q: %d", in, got)
		}
	}
}

func TestEntryName(t *testing.T) {
	for in, want := range map[string]string{
		"package/a": "a", "package/a/b": "a/b", "package/": "", "package": "", "./package/a": "a", "other/a": "a", "package//a": "a",
		"package/./a": "a", "package/a/../b": "!", "../a": "!", "package/..": "!", "/package/a": "!", `package\a`: "!", "package/C:x": "!",
		"package/a\x00b": "!", "package/a\nb": "!", "": "", ".": "",
	} {
		got, err := entryName(in)
		if err != nil {
			got = "!"
		}
		if filepath.ToSlash(got) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzUnpack unpacks whatever a registry may send: nothing may appear outside the directory, and nothing but files and
// directories inside.
func FuzzUnpack(f *testing.F) {
	f.Add(packageOf("@toys/toy", "1.0.0"))
	f.Add(archive(entry{name: "../x", body: "x"}, entry{name: "a/../../x", body: "x"}))
	f.Add(archive(entry{name: "a/l", kind: '2', link: "/"}, entry{name: "a/l/x", body: "x"}))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root := t.TempDir()
		path := file(t, filepath.Join(root, "a.tgz"), string(data), 0o600)
		dir := filepath.Join(root, "out")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := unpack(t.Context(), diskFiles{}, path, dir, &meter{now: time.Now, report: func(Progress) {}})
		if err != nil && ReasonOf(err) != ReasonArchive && ReasonOf(err) != ReasonDisk {
			t.Errorf("%v is no failure", err)
		}
		if entries, _ := os.ReadDir(root); len(entries) != 2 {
			t.Errorf("outside: %v", entries)
		}
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !d.Type().IsRegular() {
				t.Errorf("%s is %v", path, d.Type())
			}
			return nil
		})
	})
}
