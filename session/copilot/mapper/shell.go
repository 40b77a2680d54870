package mapper

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/process/record"
)

// shells holds the commands in the background.
type shells struct {
	rec   *record.Recorder
	calls *calls
	open  map[string]*shell // by the runtime's id of the shell
}

// shell is a command in the background.
type shell struct {
	call session.CallID
	tool *toolCall
}

// maxShellOutput bounds what is kept of the output of a running command, in bytes.
const maxShellOutput = 1 << 20

func newShells(rec *record.Recorder, calls *calls) *shells {
	return &shells{rec: rec, calls: calls, open: map[string]*shell{}}
}

// runsInBackground matches the result of a command that goes on: one sent to the background, or one that takes long.
var runsInBackground = lazyregexp.New(`<(?:detached )?command (?:with shellId: (\S+) (?:is still running|moved to background)|started in (?:detached )?background with shellId: ([^\s>]+))`)

// started records that the result of a command only announces that it goes on in the background.
func (s *shells) started(call session.CallID, d toolComplete, end *session.ToolEnded) {
	found := runsInBackground.FindStringSubmatch(d.Result.Content)
	if found == nil || end.Outcome != session.ToolOK {
		return
	}
	id := found[1] + found[2]
	at := strings.LastIndex(d.Result.Content, found[0])
	end.Result = session.ToolResult{Text: strings.TrimRight(d.Result.Content[:at], "\n"), Sent: d.Result.Content, Summary: backgroundSummary,
		Background: true, Job: id}
	s.open[id] = &shell{call: call, tool: s.calls.Find(call)}
}

// id returns the runtime's id of the shell of a call in the background, empty if there is none.
func (s *shells) id(call session.CallID) string {
	for id, sh := range s.open {
		if sh.call == call {
			return id
		}
	}
	return ""
}

func (s *shells) has(call session.CallID) bool { return s.id(call) != "" }

// end ends a command in the background and returns its call, empty if it is unknown.
func (s *shells) end(id string, code *int, at time.Time) session.CallID {
	sh := s.open[id]
	if sh == nil {
		return ""
	}
	delete(s.open, id)
	o := session.ToolOK
	if code != nil && *code != 0 {
		o = session.ToolFailed
	}
	s.finish(sh, o, session.ToolResult{Text: sh.text(), ExitCode: code}, at)
	return sh.call
}

// asked ends a command in the background whose end another tool reports or is: reading it, typing to it, stopping it.
func (s *shells) asked(t *toolCall, d toolComplete, at time.Time) {
	var in struct {
		Shell   string `json:"shellId"`
		Session string `json:"sessionId"`
	}
	if !shellTools[t.Name] || json.Unmarshal(t.With.input, &in) != nil {
		return
	}
	id := cmp.Or(in.Shell, in.Session)
	sh := s.open[id]
	switch {
	case sh == nil:
	case strings.HasPrefix(t.Name, "stop_"):
		s.stop(sh.call, at)
	case shellEnd.MatchString(d.Result.Content):
		s.end(id, shellResult(d).ExitCode, at)
	}
}

// stop ends the command of a call in the background as cancelled.
func (s *shells) stop(call session.CallID, at time.Time) {
	if id := s.id(call); id != "" {
		sh := s.open[id]
		delete(s.open, id)
		s.finish(sh, session.ToolCancelled, session.ToolResult{Text: sh.text()}, at)
	}
}

// shellTools are the tools for commands in the background.
var shellTools = setOf("read_bash write_bash stop_bash read_powershell write_powershell stop_powershell")

// text returns what the command wrote, without what no event brought.
func (sh *shell) text() string { return strings.TrimRight(sh.tool.With.wrote.String(), "\n") }

func (s *shells) finish(sh *shell, o session.ToolOutcome, r session.ToolResult, at time.Time) {
	h := s.rec.At(at)
	h.Child = sh.tool.Child
	if h.Turn == "" {
		h.Turn = sh.tool.Turn
	}
	r.Ran = sh.tool.With.ran
	s.rec.Emit(session.ToolEnded{Head: h, Call: sh.call, Outcome: o, Result: r})
	sh.tool.With.wrote.Reset()
}

// endAll ends the commands in the background, because the runtime has ended.
func (s *shells) endAll(at time.Time) {
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		sh := s.open[id]
		delete(s.open, id)
		s.finish(sh, session.ToolCancelled, session.ToolResult{Text: sh.text(), Summary: session.WhyWithAgent}, at)
	}
}
