package statusline

import (
	"encoding/json"
	"time"
)

// Report is what the command is told about the session. What is not known stays zero and is left out where the command
// could take it for a figure.
type Report struct {
	Session, Transcript, Title string
	Dir, ProjectDir            string
	Branch                     string
	Model, ModelName, Effort   string
	Version                    string
	// Used and Window count tokens: those in the context and those that fit.
	Used, Window int64
	// Tokens of the whole session.
	Input, Output int64
	// Duration is the time for which the session is open.
	Duration time.Duration
	// Turns and Running are not told, but a change of them runs the command again: it may look at the directory.
	Turns   int
	Running bool
	// Left and Of are the requests of the plan; Of 0 is not known. Resets is when Left is Of again.
	Left, Of int64
	Resets   time.Time
}

// JSON returns the report as Claude Code 2.1 writes it to the command, with what only parley knows under `parley`. The cost in
// dollars is 0, since Copilot's plan counts requests.
func (r Report) JSON() []byte {
	type m = map[string]any
	o := m{
		"hook_event_name": "Status", "session_id": r.Session, "transcript_path": r.Transcript, "cwd": r.Dir, "version": r.Version,
		"model":        m{"id": r.Model, "display_name": r.ModelName},
		"workspace":    m{"current_dir": r.Dir, "project_dir": r.ProjectDir, "added_dirs": []string{}},
		"output_style": m{"name": "default"},
		"cost": m{"total_cost_usd": 0, "total_duration_ms": r.Duration.Milliseconds(), "total_api_duration_ms": 0,
			"total_lines_added": 0, "total_lines_removed": 0},
		"exceeds_200k_tokens": r.Used > 200_000,
	}
	if r.Title != "" {
		o["session_name"] = r.Title
	}
	if r.Effort != "" {
		o["effort"] = m{"level": r.Effort}
	}
	if r.Window > 0 {
		used := min(100, float64(r.Used)*100/float64(r.Window))
		o["context_window"] = m{"total_input_tokens": r.Input, "total_output_tokens": r.Output, "context_window_size": r.Window,
			"used_percentage": int(used + 0.5), "remaining_percentage": 100 - int(used+0.5),
			"current_usage": m{"input_tokens": r.Used, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	}
	if own := r.own(); len(own) > 0 {
		o["parley"] = own
	}
	out, err := json.Marshal(o)
	if err != nil { // only strings, numbers and booleans are in it
		return []byte("{}")
	}
	return out
}

// own is what Claude Code has no place for: the branch, and the requests of the plan.
func (r Report) own() map[string]any {
	own := map[string]any{}
	if r.Branch != "" {
		own["branch"] = r.Branch
	}
	if r.Of > 0 {
		requests := map[string]any{"left": r.Left, "of": r.Of}
		if !r.Resets.IsZero() {
			requests["resets_at"] = r.Resets.Unix()
		}
		own["requests"] = requests
	}
	return own
}
