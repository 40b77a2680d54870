package mcptool

import (
	"context"
	"errors"
	"strings"

	"parley/session"
	"parley/session/mcp"
)

// errNotAllowed is what a server reads that may not have a model answer it.
var errNotAllowed = errors.New("the user did not allow the server to ask a model")

// sample lets a model answer a server: where its file allows it, where the user has said so for the session, or after a question. put asks
// the user.
func (k *Kit) sample(ctx context.Context, s mcp.Sampling, put func(ctx context.Context, asked session.Asked) session.Answer) (mcp.Sampled, error) {
	k.mu.Lock()
	may := s.Allowed || k.sampled[s.Server]
	k.mu.Unlock()
	if !may {
		q := s.Question()
		a := put(ctx, session.Asked{Kind: session.AskQuestion, Question: &session.QuestionAsk{Questions: []session.Question{q}}})
		choice := strings.Join(a.Choices[q.Text], "")
		if a.Decision != session.Allow || choice != mcp.SampleOnce && choice != mcp.SampleHere {
			return mcp.Sampled{}, errNotAllowed
		}
		if choice == mcp.SampleHere {
			k.mu.Lock()
			k.sampled[s.Server] = true
			k.mu.Unlock()
		}
	}
	return k.ask(ctx, s)
}
