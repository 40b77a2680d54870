package copilot

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a value, as indented JSON, with a file under testdata.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("%s (run with -update to accept): %s", path, diff)
	}
}

func TestModelsAreRead(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "models.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(t)
	f.on(pathModels, answer(200, "application/json", string(body)))
	list, err := f.client(t).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "models.golden.json", list)
	if !list[0].Serves(EndpointMessages) || list[0].Serves("/responses") {
		t.Errorf("the first serves %v", list[0].Endpoints)
	}
}

func TestModelsEnvelope(t *testing.T) {
	for body, want := range map[string]int{
		`{"data":[]}`: 0, `{"object":"list","data":[{"id":"a"},{"name":"no id"},7,null,{"id":5},{"id":"b"}]}`: 2,
		`{}`: -1, `[]`: -1, `[{"id":"a"}]`: -1, `{"data":{}}`: -1, `{"data":null}`: -1, `{"models":[]}`: -1, ``: -1, `{"data":[`: -1,
	} {
		f := newFake(t)
		f.on(pathModels, answer(200, "", body))
		list, err := f.client(t).Models(t.Context())
		if want < 0 {
			if KindOf(err) != KindProtocol {
				t.Errorf("%s: got %v, %v", body, list, err)
			}
			continue
		}
		if err != nil || len(list) != want {
			t.Errorf("%s: got %v, %v", body, list, err)
		}
	}
}

func TestModelsAreShared(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	c := f.client(t)
	a, _ := c.Models(t.Context())
	a[0].ID = "changed by a caller"
	b, err := c.Models(t.Context())
	if err != nil || b[0].ID != "m" || len(f.got(pathModels)) != 1 {
		t.Errorf("got %v, %v", b, err)
	}
}

func TestPrices(t *testing.T) {
	for _, tt := range []struct {
		in             string
		standard, long *Price
	}{
		{`null`, nil, nil},
		{`{}`, nil, nil},
		{`{"default":{}}`, nil, nil},
		{`{"batch_size":500000,"default":{"input_price":100,"output_price":500,"cache_price":10,"cache_write_price":125,
			"context_max":9}}`, &Price{Input: 200, Output: 1000, CacheRead: 20, CacheWrite: 250, Context: 9}, nil},
		{`{"default":{"input_price":"100","output_price":500,"cache_read_price":10,"cache_write_price":125,
			"cache_write_1h_price":200,"max_prompt_tokens":8},"long_context":{"input_price":200,"output_price":500}}`,
			&Price{Input: 100, Output: 500, CacheRead: 10, CacheWrite: 125, CacheWrite1h: 200, Context: 8},
			&Price{Input: 200, Output: 500}},
		{`{"default":{"input_price":1,"output_price":2,"context_max":5},"long_context":{"input_price":1,"output_price":2,
			"context_max":50}}`, &Price{Input: 1, Output: 2, Context: 5}, nil},
		{`{"batch_size":1000000,"input_price":500000000000,"cache_price":50000000000,"output_price":2500000000000}`,
			&Price{Input: 500, Output: 2500, CacheRead: 50}, nil},
		{`{"batch_size":1000,"input_price":1000000}`, &Price{Input: 1}, nil},
		{`{"batch_size":-1,"default":{"output_price":3}}`, &Price{Output: 3}, nil},
	} {
		standard, long := decodePrices(object([]byte(tt.in)))
		if diff := cmp.Diff([]*Price{tt.standard, tt.long}, []*Price{standard, long}); diff != "" {
			t.Errorf("%s: %s", tt.in, diff)
		}
	}
}

// No answer, however strange, may break the reading of models or accounts.
func FuzzDecodeAnswers(f *testing.F) {
	body, err := os.ReadFile(filepath.Join("testdata", "models.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add([]byte(`{"data":[{"id":"x","capabilities":{"limits":{"max_inputs":1e999}}}],"quota_snapshots":{"a":{"entitlement":"9"}}}`))
	f.Add([]byte(`{"error_details":{"notification_id":"x"},"expires_at":1e11,"data":["auto",{"id":"auto"},{"id":"a"}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if list, ok := decodeModels(in); ok {
			for _, m := range list {
				if m.ID == "" {
					t.Error("a model without an id")
				}
			}
		}
		u := decodeUser(object(in))
		for i := 1; i < len(u.Quotas); i++ {
			if u.Quotas[i-1].ID >= u.Quotas[i].ID {
				t.Error("the quotas are not sorted")
			}
		}
		if n := readFault(in).notice; n != nil && (n.What == "" || n.Next == "") {
			t.Error("a reason without words")
		}
		if life := sessionLife(object(in), nil, time.Unix(0, 0)); life < minSession || life > maxSession {
			t.Errorf("a session of %v", life)
		}
		if slices.Contains(modelIDs(object(in).list("data")), autoModel) {
			t.Error("the choice of the service counts as a model")
		}
	})
}
