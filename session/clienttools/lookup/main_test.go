package lookup

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"go.uber.org/goleak"

	"parley/internal/jsonrpc"
	"parley/session/proc/proctest"
)

// TestMain runs the tests or, where a test has started this program as a language server, that server.
func TestMain(m *testing.M) {
	if os.Getenv("PARLEY_FAKE_SERVER") != "" {
		serve()
		os.Exit(0)
	}
	goleak.VerifyTestMain(proctest.Watch(m))
}

// serve is a language server for which each name is defined in the first line of its own file.
func serve() {
	conn := jsonrpc.New(os.Stdin, os.Stdout, jsonrpc.Options{
		Handle: func(_ context.Context, method string, raw json.RawMessage) (any, error) {
			switch method {
			case "initialize":
				return map[string]any{"capabilities": map[string]any{"definitionProvider": true}}, nil
			case "textDocument/definition":
				var p struct {
					TextDocument struct {
						URI string `json:"uri"`
					} `json:"textDocument"`
				}
				err := json.Unmarshal(raw, &p)
				at := map[string]int{"line": 0, "character": 0}
				return map[string]any{"uri": p.TextDocument.URI, "range": map[string]any{"start": at, "end": at}}, err
			}
			return nil, nil
		}, Notified: func(method string, _ json.RawMessage) {
			if method == "exit" {
				os.Exit(0)
			}
		}})
	<-conn.Done()
}
