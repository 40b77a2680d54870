package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"parley/session"
)

// signsIn has the methods that take the token: those that open a session, and those that answer for the user without one.
// The runtime can also read it from a variable, but then passes that on to every command.
var signsIn = map[string]bool{"session.create": true, "session.resume": true, "models.list": true, "account.getQuota": true}

// signed returns the parameters of a method that signs in, with the user's token if there is one. It learns the secrets that
// they contain.
func (c *Client) signed(ctx context.Context, method string, params any) (json.RawMessage, error) {
	token := ""
	if c.o.Token != nil {
		var err error
		if token, err = c.o.Token(ctx); err != nil {
			return nil, &session.Error{Op: "sign in to the Copilot runtime", Kind: session.KindAuth, Err: err}
		}
	}
	raw, err := withToken(params, token)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var p struct {
		Provider struct {
			Bearer string `json:"bearerToken"`
		} `json:"provider"`
	}
	_ = json.Unmarshal(raw, &p) // most have no provider
	c.secrets.Add(token, p.Provider.Bearer)
	return raw, nil
}

// withToken returns params, an object, with the token unless that is empty.
func withToken(params any, token string) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if string(raw) == "null" {
		raw = []byte("{}")
	}
	if len(raw) < 2 || raw[0] != '{' {
		return nil, errors.New("parameters that are not an object take no token")
	}
	if token == "" {
		return raw, nil
	}
	member, err := json.Marshal(struct {
		Token string `json:"gitHubToken"`
	}{token})
	if err != nil {
		return nil, err
	}
	if string(raw) == "{}" {
		return member, nil
	}
	return append(append(member[:len(member)-1:len(member)-1], ','), raw[1:]...), nil
}
