package git

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxFuzzed bounds objects in fuzz tests, in bytes.
const maxFuzzed = 1 << 16

// FuzzPack reads objects from a pack and an index that were changed at random, and never gets other bytes than those of the sum.
func FuzzPack(f *testing.F) {
	dir := f.TempDir()
	runGit(f, dir, "", "init", "-q")
	var sums []Sum
	var list strings.Builder
	for _, text := range versions(4)[:4] {
		sums = append(sums, sumOf(f, runGit(f, dir, text[:min(len(text), 3000)], "hash-object", "-w", "--stdin")))
		list.WriteString(sums[len(sums)-1].String() + "\n")
	}
	name := runGit(f, dir, list.String(), "pack-objects", "-q", "--delta-base-offset", "pack")
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	index, pack := read("pack-"+name+".idx"), read("pack-"+name+".pack")
	f.Add(index, pack)
	for at := 8; at < len(pack); at += 41 {
		broken := bytes.Clone(pack)
		broken[at] ^= 0x41
		f.Add(index, broken)
	}
	for at := 0; at < len(index); at += 97 {
		broken := bytes.Clone(index)
		broken[at] ^= 0x81
		f.Add(broken, pack)
	}
	at := f.TempDir()
	if err := os.MkdirAll(filepath.Join(at, "objects", "pack"), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, index, pack []byte) {
		for ext, data := range map[string][]byte{".idx": index, ".pack": pack} {
			if err := os.WriteFile(filepath.Join(at, "objects", "pack", "p"+ext), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := OpenObjects(t.Context(), at)
		defer s.Close()
		for _, sum := range sums {
			if data, err := s.Blob(t.Context(), sum, maxFuzzed); err == nil && len(data) > maxFuzzed {
				t.Errorf("%d bytes", len(data))
			}
		}
	})
}

// FuzzApply applies random deltas within a bound.
func FuzzApply(f *testing.F) {
	f.Add([]byte("base"), []byte("\x04\x06\x90\x04\x02ab"))
	f.Add([]byte("base"), []byte("\x04\x08\x90\x04\x90\x04"))
	f.Add([]byte(""), []byte("\x00\xff\xff\xff\xff\x7f\x01a"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		if out, err := apply(base, delta, maxFuzzed); err == nil && len(out) > maxFuzzed {
			t.Errorf("%d bytes", len(out))
		}
	})
}
