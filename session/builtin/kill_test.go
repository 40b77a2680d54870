package builtin

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/store"
)

// With this variable set the test binary is a process that streams an answer into a journal until it is killed.
const killVariable = "PARLEY_BUILTIN_TEST_KILL"

func killStore(dir string) *store.Store {
	return store.New(store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")})
}

// streamForever says on its output how many words are certainly in the journal.
func streamForever(dir string) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, start("m")+frame("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`))
		for i := 0; r.Context().Err() == nil; i++ {
			io.WriteString(w, delta(0, `"type":"text_delta","text":`+quoted(fmt.Sprintf("%d ", i))))
			w.(http.Flusher).Flush()
		}
	}))
	journal, err := killStore(dir).Create(context.Background(), session.Meta{ID: "s", Dir: dir, Created: time.Now()})
	if err != nil {
		fmt.Println(err)
		return
	}
	words := 0
	emit := func(e session.Event) {
		if err := journal.Append(e); err != nil {
			fmt.Println(err)
		}
		if _, ok := e.(session.PartDelta); ok {
			if words++; words%50 == 0 {
				_ = journal.Flush()
				fmt.Println(words)
			}
		}
	}
	conv, err := New(Options{}).Open(context.Background(), session.OpenOptions{Session: "s", Gen: 1, Dir: dir,
		Endpoint: session.Endpoint{BaseURL: service.URL, Bearer: "b"}, Emit: emit})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = conv.Send(context.Background(), "t", session.Prompt{Text: "the prompt"}, session.OriginUser)
}

// A kill in the middle of a stream loses nothing that was flushed, and the conversation goes on from there.
func TestKilledInTheStream(t *testing.T) {
	dir := t.TempDir()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), killVariable+"="+dir)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	flushed := 0
	for lines := bufio.NewScanner(out); flushed < 500 && lines.Scan(); {
		if _, err := fmt.Sscan(lines.Text(), &flushed); err != nil {
			t.Error(lines.Text())
			break
		}
	}
	_ = other.Process.Kill()
	_ = other.Wait()

	journal, _, events, err := killStore(dir).Open(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	var past session.Transcript
	for _, e := range events {
		past.Apply(e)
	}
	got := wordsOf(past.Turns[len(past.Turns)-1])
	var want strings.Builder
	for i := range flushed {
		fmt.Fprintf(&want, "%d ", i)
	}
	if !strings.HasPrefix(got, want.String()) || past.Turns[0].Prompt.Text == "" && past.Turns[1].Prompt.Text == "" {
		t.Errorf("%d words were flushed, %d bytes are there", flushed, len(got))
	}
	s := newService(t, says("on"))
	ch := openChat(t, s, history(&past))
	ch.send("go on")
	messages := s.messages(0)
	checkShape(t, messages)
	if messages[1].Content[0].Text != got || messages[0].Content[0].Text != "the prompt" {
		t.Error("the interrupted answer is not told to the model as it was")
	}
}
