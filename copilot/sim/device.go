package sim

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
)

// deviceState is the running sign-in with a code.
type deviceState struct {
	mu    sync.Mutex
	asked int // requests for the token since the code was issued
}

// simDeviceCode is the code of the sign-in, simUserCode the one that the user would enter.
const (
	simDeviceCode = "sim-device-code"
	simUserCode   = "SIMU-LATE"
)

// serveDevice returns a code to enter.
func (s *Server) serveDevice(_ *http.Request, body []byte) answer {
	form, _ := url.ParseQuery(string(body))
	if form.Get("client_id") == "" {
		return deviceAnswer(`{"error":"incorrect_client_credentials"}`)
	}
	s.device.mu.Lock()
	s.device.asked = 0
	s.device.mu.Unlock()
	return deviceAnswer(fmt.Sprintf(`{"device_code":%q,"user_code":%q,"verification_uri":%q,"expires_in":900,"interval":5}`,
		simDeviceCode, simUserCode, s.url+"/login/device"))
}

// serveDeviceToken returns the token at the third request, as if the user had entered the code by then; or never, if
// the account's Device gives an error.
func (s *Server) serveDeviceToken(_ *http.Request, body []byte) answer {
	form, _ := url.ParseQuery(string(body))
	if form.Get("client_id") == "" || form.Get("device_code") != simDeviceCode ||
		form.Get("grant_type") != "urn:ietf:params:oauth:grant-type:device_code" {
		return deviceAnswer(`{"error":"incorrect_device_code"}`)
	}
	s.device.mu.Lock()
	s.device.asked++
	n := s.device.asked
	s.device.mu.Unlock()
	switch refusal := s.account.get().Device; {
	case n == 1:
		return deviceAnswer(`{"error":"authorization_pending"}`)
	case n == 2:
		return deviceAnswer(`{"error":"slow_down","interval":10}`)
	case refusal != "":
		return deviceAnswer(fmt.Sprintf(`{"error":%q}`, refusal))
	}
	return deviceAnswer(fmt.Sprintf(`{"access_token":%q,"token_type":"bearer","scope":"read:user"}`, s.token))
}

func deviceAnswer(body string) answer {
	return answer{status: http.StatusOK, contentType: "application/json; charset=utf-8", body: []byte(body)}
}
