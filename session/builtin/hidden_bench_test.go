package builtin

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// BenchmarkHidden judges one file that a search meets, with 0, 1 and 20 rules.
func BenchmarkHidden(b *testing.B) {
	for _, n := range []int{0, 1, 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var kept permission.Kept
			for i := range n {
				kept.Rules = append(kept.Rules, permission.Rule{Ruling: permission.Deny, Subject: permission.OnRead, Pattern: fmt.Sprintf("secret%d/**/*.key", i)})
			}
			dir := b.TempDir()
			conv, err := New(Options{Home: "/home/x", Rules: func(string) permission.Kept { return kept }}).Open(context.Background(), session.OpenOptions{Session: "s", Gen: 1, Dir: dir, Emit: func(session.Event) {},
				Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1"}})
			if err != nil {
				b.Fatal(err)
			}
			hides := conv.(*conversation).hidden(context.Background(), conv.(*conversation).top.ws)
			if hides == nil {
				b.Fatal("everything may be read")
			}
			path := filepath.Join(dir, "internal", "some", "folder", "file_test.go")
			b.ReportAllocs()
			for b.Loop() {
				if hides(path, path) != permission.Allow {
					b.Fatal()
				}
			}
		})
	}
}
