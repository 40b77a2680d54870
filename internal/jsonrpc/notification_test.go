package jsonrpc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func TestPlainNotification(t *testing.T) {
	tests := map[string]struct {
		in, method, params string
		ok                 bool
	}{
		"plain":        {`{"jsonrpc":"2.0","method":"a.b","params":{"x":[1, 2]}}`, "a.b", `{"x":[1, 2]}`, true},
		"other order":  {` {"params":[], "method":"a","jsonrpc":"2.0"} `, "a", `[]`, true},
		"no params":    {`{"jsonrpc":"2.0","method":"a"}`, "a", "", true},
		"null":         {`{"jsonrpc":"2.0","method":"a","params":null}`, "a", "null", true},
		"a request":    {`{"jsonrpc":"2.0","id":1,"method":"a"}`, "", "", false},
		"null id":      {`{"jsonrpc":"2.0","id":null,"method":"a"}`, "", "", false},
		"an answer":    {`{"jsonrpc":"2.0","id":1,"result":{}}`, "", "", false},
		"twice":        {`{"jsonrpc":"2.0","method":"a","method":"b"}`, "", "", false},
		"other case":   {`{"jsonrpc":"2.0","Method":"a"}`, "", "", false},
		"escaped":      {`{"jsonrpc":"2.0","method":"\u0061"}`, "", "", false},
		"escaped key":  {`{"jsonrpc":"2.0","m\u0065thod":"a"}`, "", "", false},
		"no version":   {`{"method":"a"}`, "", "", false},
		"not a string": {`{"jsonrpc":"2.0","method":12}`, "", "", false},
		"empty":        {`{"jsonrpc":"2.0","method":""}`, "", "", false},
		"broken":       {`{"jsonrpc":"2.0","method":"a","params":{}`, "", "", false},
		"more":         {`{"jsonrpc":"2.0","method":"a"}{}`, "", "", false},
		"a batch":      {`[{"jsonrpc":"2.0","method":"a"}]`, "", "", false},
		"nothing":      {``, "", "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			method, params, ok := plainNotification([]byte(test.in))
			if method != test.method || string(params) != test.params || ok != test.ok {
				t.Errorf("%q, %q, %v", method, params, ok)
			}
		})
	}
}

// decoded is a notification as the library decodes it.
type decoded struct {
	notification bool
	method       string
	params       json.RawMessage
}

// viaLibrary decodes a message with the library alone.
func viaLibrary(content []byte) (d decoded, err error) {
	r := jsonrpc2.NewPlainObjectStream(struct {
		*bytes.Reader
		discard
	}{bytes.NewReader(content), discard{}})
	var m jsonrpc2.Request
	if err = r.ReadObject(&m); err != nil {
		return d, err
	}
	d = decoded{notification: m.Notif, method: m.Method}
	if m.Params != nil {
		d.params = *m.Params
	}
	return d, nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// FuzzPlainNotification compares with the library: what is taken as a plain notification is one, with the same method and
// the same params.
func FuzzPlainNotification(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","method":"a","params":{"x":[1,2.50,"\u00e9<",null],"x":true}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"a"}`))
	f.Add([]byte(`{"method":"a","jsonrpc":"2.0","params":null}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"a","params":"` + "\xff" + `"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		method, params, ok := plainNotification(content)
		if !ok {
			return
		}
		want, err := viaLibrary(content)
		if err != nil || !want.notification || want.method != method {
			t.Fatalf("%q is %+v, %v; taken as %q", content, want, err, method)
		}
		if (params == nil) != (want.params == nil) || params != nil && !reflect.DeepEqual(tree(t, params), tree(t, want.params)) {
			t.Fatalf("params %q, want %q", params, want.params)
		}
	})
}

func tree(t *testing.T, raw []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func BenchmarkNotification(b *testing.B) {
	content := []byte(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","event":{"type":"a","data":{"text":"` +
		strings.Repeat("word ", 60) + `"}}}}`)
	b.Run("plain", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			if _, _, ok := plainNotification(content); !ok {
				b.Fatal("not plain")
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		for b.Loop() {
			if _, err := viaLibrary(content); err != nil {
				b.Fatal(err)
			}
		}
	})
}
