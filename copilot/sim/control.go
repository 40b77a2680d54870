package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"parley/copilot/sim/script"
)

// serveControl answers the endpoints that steer the simulation from another process. They want the token as a bearer
// and are not recorded:
//
//	POST   /_sim/faults         inject a fault: {"kind":"status","status":429,"retry_after":"2","times":3}
//	DELETE /_sim/faults         forget the injected faults
//	POST   /_sim/release/NAME   let replies go on that wait at "hold: NAME"
//	PUT    /_sim/script         use this script (YAML) from now on
//	GET    /_sim/requests       what was received, as JSON, with headers and bodies but for the token
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+s.token {
		http.Error(w, "the control endpoints need the token as a bearer", http.StatusUnauthorized)
		return
	}
	what, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/_sim/"), "/")
	body := http.MaxBytesReader(w, r.Body, maxBody)
	var err error
	switch r.Method + " " + what {
	case "POST faults":
		err = s.injectJSON(body)
	case "DELETE faults":
		s.ClearFaults()
	case "POST release":
		s.Release(name)
	case "PUT script":
		var sc *script.Script
		if sc, err = script.Parse(body, "script"); err == nil {
			s.SetScript(sc)
		}
	case "GET requests":
		w.Header().Set("Content-Type", typeJSON)
		_, _ = w.Write(s.requestsJSON())
		return
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// faultJSON is the JSON form of a [Fault]; times are written like "1.5s".
type faultJSON struct {
	Kind        script.FaultKind  `json:"kind"`
	Status      int               `json:"status"`
	Shape       script.Shape      `json:"shape"`
	Code        string            `json:"code"`
	Message     string            `json:"message"`
	Body        string            `json:"body"`
	RetryAfter  string            `json:"retry_after"`
	Header      map[string]string `json:"header"`
	After       int               `json:"after"`
	For         string            `json:"for"`
	ContentType string            `json:"content_type"`
	Route       string            `json:"route"`
	Model       string            `json:"model"`
	Text        string            `json:"text"`
	Skip        int               `json:"skip"`
	Times       int               `json:"times"`
}

func (s *Server) injectJSON(body io.Reader) error {
	var j faultJSON
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return fmt.Errorf("read fault: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read fault: more than one JSON value")
	}
	f := script.Fault{Kind: j.Kind, Status: j.Status, Shape: j.Shape, Code: j.Code, Message: j.Message, Body: j.Body,
		RetryAfter: j.RetryAfter, Header: j.Header, After: j.After, ContentType: j.ContentType, Route: j.Route,
		Model: j.Model, Text: j.Text, Skip: j.Skip, Times: j.Times}
	if j.For != "" {
		d, err := time.ParseDuration(j.For)
		if err != nil {
			return fmt.Errorf("read fault: for: %w", err)
		}
		f.For = d
	}
	return s.Inject(f)
}

// requestsJSON is the list of requests that were received, with the token masked: the answer may end up in a terminal or a file.
func (s *Server) requestsJSON() []byte {
	type entry struct {
		Number  int         `json:"number"`
		Time    time.Time   `json:"time"`
		Method  string      `json:"method"`
		Path    string      `json:"path"`
		Query   string      `json:"query,omitempty"`
		Header  http.Header `json:"header"`
		Body    string      `json:"body,omitempty"`
		Rule    string      `json:"rule,omitempty"`
		Refused string      `json:"refused,omitempty"`
		Faults  []string    `json:"faults,omitempty"`
		Status  int         `json:"status"`
		Sent    int64       `json:"sent"`
		Deltas  int         `json:"deltas"`
		Ended   Ended       `json:"ended,omitempty"`
		TookMS  int64       `json:"took_ms"`
	}
	list := []entry{}
	for _, r := range s.Requests() {
		if auth := r.Header.Get("Authorization"); auth != "" {
			scheme, _, _ := strings.Cut(auth, " ")
			r.Header.Set("Authorization", scheme+" ***")
		}
		list = append(list, entry{r.Number, r.Time, r.Method, r.Path, r.Query, r.Header, string(r.Body), r.Rule, r.Refused,
			r.Faults, r.Status, r.Sent, r.Deltas, r.Ended, r.Took.Milliseconds()})
	}
	return mustJSON(list)
}
