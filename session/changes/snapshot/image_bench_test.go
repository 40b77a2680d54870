package snapshot

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// random returns bytes that no disk makes smaller.
func random(n int) []byte {
	source := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = source.Read(b) // it does not fail
	return b
}

// BenchmarkStage reports what staging a file of 1 MB adds to an edit of it, which writes 1 MB.
func BenchmarkStage(b *testing.B) {
	s := New(Options{Dir: filepath.Join(realDir(b), "images")})
	path, content := filepath.Join(realDir(b), "file"), random(1<<20)
	must(b, os.WriteFile(path, content, 0o600))
	s.Stage(b.Context(), path).Drop()
	var staging, writing time.Duration
	n := 0
	for b.Loop() {
		start := time.Now()
		staged := s.Stage(b.Context(), path)
		staging += time.Since(start)
		start = time.Now()
		must(b, os.WriteFile(path+".new", content, 0o600), os.Rename(path+".new", path))
		writing += time.Since(start)
		staged.Drop()
		n++
	}
	b.ReportMetric(float64(staging.Microseconds())/float64(n)/1000, "ms/stage")
	b.ReportMetric(float64(writing.Microseconds())/float64(n)/1000, "ms/write")
	b.ReportMetric(float64(staging)/float64(writing), "stage/write")
}

// BenchmarkTake keeps files of 1 MB: new ones, and one that is in the store already.
func BenchmarkTake(b *testing.B) {
	for _, fresh := range []bool{true, false} {
		b.Run("new="+strconv.FormatBool(fresh), func(b *testing.B) {
			s := New(Options{Dir: filepath.Join(realDir(b), "images")})
			path, content := filepath.Join(realDir(b), "file"), random(1<<20)
			must(b, os.WriteFile(path, content, 0o600))
			b.SetBytes(1 << 20)
			for n := 0; b.Loop(); n++ {
				if fresh {
					b.StopTimer()
					must(b, os.WriteFile(path, append(strconv.AppendInt(nil, int64(n), 10), content...), 0o600))
					b.StartTimer()
				}
				take(b, s, path)
			}
		})
	}
}

// BenchmarkPut keeps contents of 1 MB that are in no store yet.
func BenchmarkPut(b *testing.B) {
	s := New(Options{Dir: filepath.Join(realDir(b), "images")})
	content := random(1 << 20)
	b.SetBytes(1 << 20)
	for n := 0; b.Loop(); n++ {
		copy(content, strconv.Itoa(n))
		if _, err := s.Put(b.Context(), content); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRestore brings a file from one state to another.
func BenchmarkRestore(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			s := New(Options{Dir: filepath.Join(realDir(b), "images")})
			path, content := filepath.Join(realDir(b), "file"), random(size)
			must(b, os.WriteFile(path, content, 0o644))
			from := take(b, s, path)
			to, err := s.Put(b.Context(), bytes.ToUpper(content))
			must(b, err)
			b.SetBytes(int64(size))
			for b.Loop() {
				must(b, s.Restore(b.Context(), path, from, to))
				from, to = to, from
			}
		})
	}
}

// BenchmarkLook describes small files, as a comparison of a work tree does.
func BenchmarkLook(b *testing.B) {
	s := New(Options{Dir: filepath.Join(realDir(b), "images")})
	path := filepath.Join(realDir(b), "file")
	must(b, os.WriteFile(path, random(4000), 0o600))
	for b.Loop() {
		if _, err := s.Look(b.Context(), path); err != nil {
			b.Fatal(err)
		}
	}
}
