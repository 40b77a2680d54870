package copilot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"parley/copilot/login"
)

func TestSecretIsNeverPrinted(t *testing.T) {
	f := newFake(t)
	client := f.client(t)
	secret := login.NewSecret(testToken)
	cred := login.Credential{Token: secret, Source: "GH_TOKEN", Host: "github.com"}
	hidden := struct{ cred login.Credential }{cred} // fmt cannot call methods on what is inside
	var out []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%T", "%08.3f"} {
		for _, v := range []any{secret, &secret, cred, &cred, hidden, []login.Secret{secret}, map[string]login.Secret{"a": secret},
			client, reflect.ValueOf(client).Elem(), reflect.ValueOf(client.current()).Elem(), Options{Credential: cred}} {
			out = append(out, fmt.Sprintf(verb, v))
		}
	}
	for _, v := range []any{secret, cred, &cred, map[string]any{"c": cred}} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	text, _ := secret.MarshalText()
	yaml, _ := secret.MarshalYAML()
	out = append(out, string(text), fmt.Sprint(yaml), fmt.Sprint(secret), secret.String(), secret.GoString())
	var logged bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&logged, nil), slog.NewJSONHandler(&logged, nil)} {
		slog.New(h).Info("x", "secret", secret, "cred", cred, "client", client, slog.Group("g", "c", cred))
	}
	out = append(out, logged.String())
	for _, s := range out {
		if strings.Contains(s, testToken) || strings.Contains(s, fmt.Sprintf("%x", testToken)) {
			t.Errorf("the token is in %q", s)
		}
	}
	if got := fmt.Sprintf("%v %s %#v", secret, secret, secret); got != "*** *** ***" {
		t.Errorf("printed as %q", got)
	}
	if secret.Reveal() != testToken || (login.Secret{}).Reveal() != "" {
		t.Error("Reveal does not give the token")
	}
	if !secret.Equal(login.NewSecret(testToken)) || secret.Equal(login.NewSecret("x")) || !(login.Secret{}).Equal(login.NewSecret("")) {
		t.Error("Equal is wrong")
	}
}
