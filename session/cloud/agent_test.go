package cloud

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/copilot/cloud"
	"parley/session"
)

func TestPromptBecomesATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.agent("one")
		c := w.open(a, "11111111-1111-4111-8111-111111111111")
		end := c.send(t.Context(), "turn-1", "Greet by name")
		if end.Outcome != session.TurnCompleted || end.Duration <= 0 {
			t.Errorf("the turn ended with %+v", end)
		}
		tr := c.transcript()
		if got := c.remotes(); got != "queued in_progress in_progress#1 completed#1" {
			t.Errorf("states %q", got)
		}
		r := tr.Remote
		if r.Repository != "octo/greet" || r.Base != "main" || r.Branch != "copilot/greet-by-name" || !strings.HasPrefix(r.URL, "https://github.com/octo/greet/pull/1/agent-sessions/") {
			t.Errorf("the task is %+v", r)
		}
		if tr.Title != "Greet by name" || len(tr.Todos) != 3 || len(tr.Turns) != 1 || len(tr.Turns[0].Entries) < 15 {
			t.Errorf("title %q, %d todos, %d entries", tr.Title, len(tr.Todos), len(tr.Turns[0].Entries))
		}
		time.Sleep(time.Minute) // its checks go on
		synctest.Wait()
		if got := c.transcript().Remote.Checks; got != (session.Checks{Passed: 3}) {
			t.Errorf("the checks are %+v", got)
		}
		c.close()

		events, err := a.Replay(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shape(tr), shape(session.Fold(events))); diff != "" {
			t.Errorf("replayed: %s", diff)
		}
	})
}

// shape is what a transcript shows: turns, prompts, outcomes and entries.
func shape(t *session.Transcript) []string {
	var out []string
	for _, turn := range t.Turns {
		out = append(out, "turn "+string(turn.ID)+" "+turn.Prompt.Text+" "+string(turn.Outcome))
		for _, e := range turn.Entries {
			switch e := e.(type) {
			case *session.Part:
				out = append(out, string(e.ID)+" "+e.Text())
			case *session.Tool:
				line := string(e.Call) + " " + e.Name + " " + string(e.Outcome) + " " + e.Result.Text
				for _, f := range e.Edits {
					line += " " + f.Path
				}
				out = append(out, line)
			}
		}
	}
	return out
}

// TestLogIsFollowedAtMostOncePerSecond watches a session that takes long.
func TestLogIsFollowedAtMostOncePerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.open(w.agent("one"), "s")
		c.send(t.Context(), "turn", "simulate slow")
		c.close()
		var last time.Time
		logs, unchanged := 0, 0
		for _, r := range w.requests() {
			if !strings.HasSuffix(r.path, "/logs") {
				continue
			}
			if logs++; r.status == 304 {
				unchanged++
			}
			if !last.IsZero() && r.at.Sub(last) < time.Second {
				t.Errorf("two requests for the log within %v", r.at.Sub(last))
			}
			last = r.at
		}
		if logs < 5 || unchanged == 0 {
			t.Errorf("%d requests for the log, %d unchanged", logs, unchanged)
		}
	})
}

// TestPullRequestIsLookedAtEveryTwentySeconds watches a session that takes long. Only its changes and its end bring a look
// forward.
func TestPullRequestIsLookedAtEveryTwentySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.open(w.agent("one"), "s")
		c.send(t.Context(), "turn", "simulate slow")
		c.close()
		var looks []time.Time
		for _, r := range w.requests() {
			if r.path == "/graphql" {
				looks = append(looks, r.at)
			}
		}
		if len(looks) != 3 || looks[1].Sub(looks[0]) != 20*time.Second || looks[2].Sub(looks[1]) >= 20*time.Second {
			t.Errorf("looked at %v, want one with the pull request, one after 20 seconds, one at the end", looks)
		}
	})
}

func TestEveryEnd(t *testing.T) {
	for problem, want := range map[string]struct {
		outcome session.TurnOutcome
		state   session.RemoteState
		says    string
	}{
		"simulate failed":    {session.TurnFailed, session.RemoteFailed, "The cloud agent failed: The agent stopped because the tests could not be built."},
		"simulate cancelled": {session.TurnCancelled, session.RemoteCancelled, "cancelled at GitHub"},
		"simulate timed out": {session.TurnLimit, session.RemoteTimedOut, "ran out of time"},
		"simulate waiting":   {session.TurnCompleted, session.RemoteWaiting, "waits for you"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			c := w.open(w.agent("one"), "s")
			end := c.send(t.Context(), "turn", problem)
			c.close()
			var said strings.Builder
			if end.Problem != nil {
				said.WriteString(end.Problem.What)
			}
			for _, e := range c.seen() {
				if n, ok := e.(session.Notice); ok {
					said.WriteString(n.Text)
				}
			}
			if end.Outcome != want.outcome || c.transcript().Remote.State != want.state || !strings.Contains(said.String(), want.says) {
				t.Errorf("%s: %q, %q, said %q", problem, end.Outcome, c.transcript().Remote.State, said.String())
			}
		})
	}
}

func TestFurtherPromptBecomesAComment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.agent("one")
		c := w.open(a, "s")
		c.send(t.Context(), "turn-1", "Greet by name")
		end := c.send(t.Context(), "turn-2", "In German, please")
		if end.Outcome != session.TurnCompleted {
			t.Fatalf("the second turn ended with %+v", end)
		}
		live := c.transcript()
		c.close()
		if len(live.Turns) != 2 || len(live.Turns[1].Entries) < 10 {
			t.Errorf("%d turns", len(live.Turns))
		}
		var posted []string
		for _, r := range w.requests() {
			if r.method == "POST" && r.path != "/graphql" {
				posted = append(posted, r.path)
			}
		}
		if !slices.Equal(posted, []string{"/agents/swe/v1/jobs/octo/greet", "/repos/octo/greet/issues/1/comments"}) {
			t.Errorf("posted to %q", posted)
		}
		events, err := a.Replay(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shape(live), shape(session.Fold(events))); diff != "" {
			t.Errorf("replayed: %s", diff)
		}
	})
}

func TestTaskContinuesOnAnotherMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.open(w.agent("one"), "s")
		c.send(t.Context(), "turn-1", "Greet by name")
		c.close()

		b := w.agent("two")
		if list, err := b.Sessions(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("before the first refresh: %v, %v", list, err)
		}
		if err := b.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := b.Sessions(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("%d tasks, %v", len(list), err)
		}
		m := list[0]
		if m.ID == "s" || m.Title != "Greet by name" || m.Dir != w.here || m.Remote.State != session.RemoteCompleted || m.Remote.Pull.Number != 1 || m.Agent != "cloud" {
			t.Errorf("the task is %+v", m)
		}
		past, err := b.Replay(t.Context(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		d := w.open(b, m.ID, past...)
		end := d.send(t.Context(), "turn-2", "@copilot In German, please")
		d.close()
		tr := d.transcript()
		if end.Outcome != session.TurnCompleted || len(tr.Turns) != 2 || tr.Turns[0].Prompt.Text != "Greet by name" {
			t.Errorf("%q, %d turns, the first for %q", end.Outcome, len(tr.Turns), tr.Turns[0].Prompt.Text)
		}
		if err := b.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		again := w.agent("two") // another run on the same machine: the list is there at once
		n := len(w.requests())
		list, err = again.Sessions(t.Context())
		if err != nil || len(list) != 1 || list[0].ID != m.ID || list[0].Turns != 2 || len(w.requests()) != n {
			t.Errorf("the list is %+v, %v, after %d requests", list, err, len(w.requests())-n)
		}
		// The first machine has it under its own id, also in the list.
		a := w.agent("one")
		if err := a.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list, err := a.Sessions(t.Context()); err != nil || len(list) != 1 || list[0].ID != "s" {
			t.Errorf("the list of the first machine is %+v, %v", list, err)
		}
	})
}

func TestTurnGoesOnElsewhereAndIsFollowedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.agent("one")
		c := w.open(a, "s")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(6*time.Second, cancel)
		end := c.send(ctx, "turn", "simulate slow")
		if end.Outcome != session.TurnElsewhere || end.Problem == nil || !strings.Contains(end.Problem.Next, "continues on GitHub") {
			t.Errorf("the interrupted turn ended with %+v", end)
		}
		c.close()
		past, err := a.Replay(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		tr := session.Fold(past)
		if len(tr.Turns) != 1 || !tr.Turns[0].Running() || tr.Turns[0].ID != "turn" || tr.Remote.State != session.RemoteRunning {
			t.Fatalf("replayed: %+v", shape(tr))
		}
		d := w.open(a, "s", past...)
		if end := d.send(t.Context(), "turn", "simulate slow"); end.Outcome != session.TurnCompleted {
			t.Errorf("followed again, it ended with %+v", end)
		}
		d.close()
		jobs := 0
		for _, r := range w.requests() {
			if r.method == "POST" && strings.HasPrefix(r.path, "/agents/") {
				jobs++
			}
		}
		if jobs != 1 || len(d.transcript().Turns[0].Entries) < 15 {
			t.Errorf("%d jobs, %d entries", jobs, len(d.transcript().Turns[0].Entries))
		}
	})
}

func TestFollowingSurvivesFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.open(w.agent("one"), "s")
		from := time.Now()
		w.failing(func(path string) int {
			if since := time.Since(from); strings.HasPrefix(path, "/agents/sessions/") && since > 3*time.Second && since < 30*time.Second {
				return map[bool]int{true: 503, false: -1}[since < 10*time.Second]
			}
			return 0
		})
		end := c.send(t.Context(), "turn", "simulate slow")
		c.close()
		notices := 0
		for _, e := range c.seen() {
			if n, ok := e.(session.Notice); ok && strings.Contains(n.Text, "parley keeps trying") {
				notices++
			}
		}
		if end.Outcome != session.TurnCompleted || notices != 1 {
			t.Errorf("%q after %d notices", end.Outcome, notices)
		}
	})
}

func TestRefusalsDeliverNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := w.open(w.agent("one"), "s")
		for what, p := range map[string]session.Prompt{
			"an image":               {Text: "x", Attachments: []session.Attachment{{Kind: session.AttachImage}}},
			"nothing":                {Text: " "},
			"a bad repository":       {Text: "x", Target: &session.RemoteTarget{Repository: "greet"}},
			"a repository without":   {Text: "x", Target: &session.RemoteTarget{Repository: "octo/no-agent"}},
			"a branch that is not":   {Text: "x", Target: &session.RemoteTarget{Repository: "octo/greet", Base: "no-such-branch"}},
			"a refused token (401)":  {Text: "refused"},
			"a service that is down": {Text: "down"},
		} {
			w.failing(func(path string) int {
				switch {
				case p.Text == "refused" && strings.HasPrefix(path, "/agents/"):
					return 401
				case p.Text == "down":
					return -1
				}
				return 0
			})
			if err := c.Send(t.Context(), "turn", p, session.OriginUser); err == nil {
				t.Errorf("%s was sent", what)
			}
		}
		w.repo = ""
		if err := c.Send(t.Context(), "turn", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindNotFound {
			t.Errorf("without a repository: %v", err)
		}
		c.close()
		if len(c.seen()) > 0 {
			t.Errorf("events: %+v", c.seen())
		}
	})
}

func TestWorkBegunElsewhereIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		a := w.agent("one")
		c := w.open(a, "s")
		c.send(t.Context(), "turn-1", "Greet by name")
		if _, err := a.o.Service.Comment(t.Context(), cloud.Pull{Repository: "octo/greet", Number: 1}, "@copilot from the web"); err != nil {
			t.Fatal(err)
		}
		if err := c.Conversation.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		c.close()
		tr := c.transcript()
		if len(tr.Turns) != 2 || tr.Turns[1].Outcome != session.TurnCompleted || tr.Turns[1].Because != "a comment at GitHub: from the web" || tr.Turns[1].Origin != session.OriginAutonomous {
			t.Errorf("%d turns: %+v", len(tr.Turns), tr.Turns[len(tr.Turns)-1])
		}
	})
}

func TestCustomAgentIsNamedAsTheServiceKnowsIt(t *testing.T) {
	for custom, want := range map[string]string{"": "", "reviewer": "reviewer", "/r/.github/agents/reviewer.agent.md": "reviewer", "/r/.github/agents/my-agent.md": "my-agent"} {
		if got := customName(custom); got != want {
			t.Errorf("%q is %q, want %q", custom, got, want)
		}
	}
}
