package mcptool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/session"
	"parley/session/mcp"
)

// errNotAllowed is what a server reads that may not have a model answer it.
var errNotAllowed = errors.New("the user did not allow the server to ask a model")

// sample lets a model answer a server: where its file allows it, where the user has said so for the session, or after a question. What the
// user notes there is for the model, or for the server that is refused. put asks the user.
func (k *Kit) sample(ctx context.Context, s mcp.Sampling, put func(ctx context.Context, asked session.Asked) session.Answer) (mcp.Sampled, error) {
	k.mu.Lock()
	may := s.Allowed || k.sampled[s.Server]
	k.mu.Unlock()
	if !may {
		q := s.Question()
		a := put(ctx, session.Asked{Kind: session.AskQuestion, Question: &session.QuestionAsk{Questions: []session.Question{q}}})
		choice, words := strings.Join(a.Choices[q.Text], ""), strings.TrimSpace(a.Message+"\n"+a.Notes[q.Text])
		if a.Decision != session.Allow || choice != mcp.SampleOnce && choice != mcp.SampleHere {
			if words != "" {
				return mcp.Sampled{}, fmt.Errorf("%w: %s", errNotAllowed, words)
			}
			return mcp.Sampled{}, errNotAllowed
		}
		s.System = strings.TrimSpace(s.System + "\n\n" + words)
		if choice == mcp.SampleHere {
			k.mu.Lock()
			k.sampled[s.Server] = true
			k.mu.Unlock()
		}
	}
	return k.ask(ctx, s)
}
