package script

import (
	"strings"
	"testing"
	"time"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		chars int
		text  string
		want  string // joined with |
	}{
		{0, "abcdefghij", "abcd|efgh|ij"},
		{1, "añ北", "a|ñ|北"},
		{3, "北の灯火", "北の灯|火"},
		{100, "short", "short"},
		{4, "", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(Pace{Chars: tt.chars}.Split(tt.text), "|"); got != tt.want {
			t.Errorf("%d of %q: got %q, want %q", tt.chars, tt.text, got, tt.want)
		}
	}
}

func TestDue(t *testing.T) {
	tests := []struct {
		rate    float64
		elapsed time.Duration
		total   int
		want    int
	}{
		{0, 0, 50, 50},
		{10, 0, 50, 1}, // the first leaves at once
		{10, 99 * time.Millisecond, 50, 1},
		{10, 100 * time.Millisecond, 50, 2},
		{10, time.Hour, 50, 50},
		{0.5, 2 * time.Second, 50, 2},
		{1000, time.Second, 5000, 1001},
	}
	for _, tt := range tests {
		if got := (Pace{Rate: tt.rate}).Due(tt.elapsed, tt.total); got != tt.want {
			t.Errorf("rate %v after %v: got %d, want %d", tt.rate, tt.elapsed, got, tt.want)
		}
	}
}

func TestFillerIsAsLongAsAsked(t *testing.T) {
	for tokens := 0; tokens < 9000; tokens += 13 {
		text := filler(tokens, "A1")
		if want := max(tokens*4, len("\n\nENDMARKA1\n")); len(text) != want {
			t.Fatalf("%d tokens: %d bytes, want %d", tokens, len(text), want)
		}
		if strings.Count(text, "```")%2 != 0 {
			t.Fatalf("%d tokens: a code block is left open", tokens)
		}
		if !strings.HasSuffix(text, "\n\nENDMARKA1\n") {
			t.Fatalf("%d tokens: no end mark", tokens)
		}
	}
	if text := filler(10, ""); len(text) != 40 || strings.Contains(text, "ENDMARK") {
		t.Errorf("without a mark: %q", text)
	}
}
