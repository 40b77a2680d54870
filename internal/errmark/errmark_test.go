package errmark

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	for _, d := range []Detail{
		{},
		{Kind: "quota", Status: 402, Code: "quota_exceeded", RequestID: "ab:cd (1)", RetryAfter: time.Minute,
			Reset: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
		{Kind: "é", Code: strings.Repeat("x", 1000)},
	} {
		message := "You have no quota" + Encode(d)
		quoted, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{message, string(quoted), "API Error: 402 " + string(quoted) + " · try later", message + message} {
			plain, got, found := Strip(text)
			if !found || !cmp.Equal(d, got) {
				t.Errorf("%q: %v %s", text, found, cmp.Diff(d, got))
			}
			if strings.Contains(plain, "parley-error") || !strings.Contains(plain, "You have no quota") {
				t.Errorf("%q is left", plain)
			}
		}
	}
	if _, d, found := Strip("x" + Encode(Detail{RetryAfter: 1500 * time.Millisecond})); !found || d.RetryAfter != 2*time.Second {
		t.Errorf("%+v", d)
	}
}

func TestStrip(t *testing.T) {
	mark := Encode(Detail{Kind: "quota", Status: 402})
	for text, want := range map[string]string{
		"a" + mark + "b":                    "ab",
		mark + mark:                         "",
		"":                                  "",
		"plain":                             "plain",
		"empty (parley-error:1:)":           "empty (parley-error:1:)",
		"other (parley-error:2:e30)":        "other (parley-error:2:e30)",
		"cut (parley-error:1:eyJ":           "cut (parley-error:1:eyJ",
		"broken (parley-error:1:!!)" + mark: "broken (parley-error:1:!!)",
		"unreadable (parley-error:1:AAAA)" + mark:                      "unreadable",
		"unreadable (parley-error:1:AAAA)":                             "unreadable",
		"long (parley-error:1:" + strings.Repeat("a", maxData+1) + ")": "long (parley-error:1:" + strings.Repeat("a", maxData+1) + ")",
	} {
		got, d, found := Strip(text)
		if got != want || found != strings.Contains(text, mark) || found && (d.Kind != "quota" || d.Status != 402) {
			t.Errorf("%q: %q %+v %v", text, got, d, found)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add("x (parley-error:1:e30)", "quota", 402, int64(60))
	f.Add(" (parley-error:1: (parley-error:1:AA)", "", 0, int64(-1))
	f.Fuzz(func(t *testing.T, text, kind string, status int, wait int64) {
		plain, _, found := Strip(text)
		if len(plain) > len(text) || found && plain == text {
			t.Errorf("%q became %q", text, plain)
		}
		d := Detail{Kind: strings.ToValidUTF8(kind, ""), Status: status}
		if wait > 0 && wait < int64(MaxWait/time.Second) {
			d.RetryAfter = time.Duration(wait) * time.Second
		}
		if len(kind) > maxData/2 {
			return
		}
		_, got, found := Strip(strings.ReplaceAll(text, start, "") + Encode(d))
		if found && !cmp.Equal(d, got) || !found && !strings.Contains(text, "parley-error") {
			t.Errorf("%v %s", found, cmp.Diff(d, got))
		}
	})
}
