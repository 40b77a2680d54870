package question

import (
	"slices"

	"parley/session"
	"parley/ui/style"
)

// Question is something that the user is asked, with the ways to answer it. Its texts are visible.
type Question struct {
	// Ask is what an agent asks; nil for what parley asks itself.
	Ask *session.Ask
	// Title is the question in one line, Detail the reason for it, About the agent's own description of what it wants.
	Title, Detail, About string
	// Change is how many lines an edit adds and removes, such as "+3 -0"; "" where the row of the call says it.
	Change string
	// Caution is what to think about before, such as "leaves this machine"; "" for ordinary calls.
	Caution string
	// Body is the subject line by line, in full; First is the line that matters most: the first that changes.
	Body  []string
	First int
	// Choices are the answers in their order, At the selected one. With a Form the only choice declines with a reason.
	Choices []Choice
	At      int
	// Permission is what a question about a tool call has besides, nil for others.
	Permission *Permission
	// Form is the questions with options or free text, nil where Choices answer.
	Form *Form
	// Decline is what escape does; nil lets escape interrupt the turn.
	Decline *Choice
	// Explain means that the user was not told yet what typing does meanwhile, see [Question.Explanation].
	Explain bool
	// Reveal means that the subject stands in the conversation, where its beginning should be shown.
	Reveal bool
	// Summoned questions get the keyboard only when the user asks for it.
	Summoned bool
	// Directory is what Load and Refuse are about, set by [Trust] alone.
	Directory *Directory
	// Review is the review of a plan, nil for other questions.
	Review *Review
}

// Choice is one way to answer.
type Choice struct {
	// Key is the letter that stands for the choice, Digit the number of its answer; "" for none.
	Key, Digit string
	Label      string // a sentence
	Short      string // the label where there is little room
	// Hint is what the key of a choice beside the answers does; such a choice has no row. "" for an answer.
	Hint   string
	Answer session.Answer
	// Why asks for a text first, which becomes the answer's message; it completes "tell the agent …".
	Why string
	// Do is done instead of answering.
	Do Deed
	// Select means that the key only selects the choice, which Enter then takes: the answer outlives the session.
	Select bool
	// Lasts means that the answer holds for as long as [Permission.HowLong] says.
	Lasts bool
}

// Apart reports whether the choice changes or explains the question, and is not shown among the answers.
func (c Choice) Apart() bool { return c.Hint != "" }

// withMore adds to choices the one that shows the keys for which there is no room, if any key stands beside the answers.
func withMore(all []Choice) []Choice {
	if !slices.ContainsFunc(all, Choice.Apart) {
		return all
	}
	return append(all, Choice{Key: "?", Label: "More keys", Hint: "more", Do: ShowMore})
}

// Deed is what a choice does instead of answering the ask.
type Deed uint8

// The deeds. The caller carries them out, since they need the editor, a browser or the store.
const (
	Answers    Deed = iota // no deed: the choice answers
	EditPlan               // open Review.Text in the user's editor, for [Question.TakePlan]
	EditHere               // edit the plan in the question, see [Question.BeginEdit]
	DropEdits              // ask about the plan again as the agent proposed it, see [Question.DropEdits]
	OpenPage               // open the elicitation's URL in the browser, then answer with the choice's Answer
	Load                   // load everything that the directory brings
	Refuse                 // never load this list
	DecideLate             // decide later: nothing is loaded until then
	EditRule               // write another rule for the lasting answer to save
	ShowWhy                // show why the user is asked, or hide it again, see [Question.ToggleWhy]
	ShowMore               // show the keys that have no room beside the others, or hide them again
	TakeAll                // ask about all that are alike at once
	TakeOne                // ask about the first of them alone again
	HandOver               // hand the plan over to an agent at a service
)

// Options is what the words of a question depend on besides the ask.
type Options struct {
	Dir, Home string
	// Who is the visible name of the child agent that asks, "" for the agent itself.
	Who string
	// Name returns the visible name of a child agent; nil: names are left out of lists.
	Name func(session.ChildID) string
	// ModeProblem returns why a permission mode is not available, "" if it is; nil: all are.
	ModeProblem func(session.Mode) string
	// Explain is Question.Explain.
	Explain bool
	// HandsOver offers to hand a plan over to an agent at a service.
	HandsOver bool
	// Opens means that URLs can be opened in a browser.
	Opens bool
}

// New returns the question of an ask, with its first choice selected: yes to what is ordinary, no to what may be dangerous.
func New(a *session.Ask, o Options) *Question {
	q := &Question{Ask: a}
	switch {
	case a.Permission != nil:
		q.permission(a.Permission, o)
	case a.Plan != nil:
		q.plan(o)
	case a.Question != nil:
		q.Form = questionForm(a.Question)
		q.Title = "The agent asks"
		q.Choices = []Choice{{Key: "m", Answer: Declined(), Why: "why you do not answer"}}
	case a.Elicitation != nil:
		q.elicitation(a.Elicitation, o)
	default:
		q.Title = "Unknown question type from the agent"
		q.Choices = []Choice{{Key: "n", Label: "No", Short: "No", Answer: Declined()}}
	}
	if o.Who != "" && q.Review == nil {
		q.Title = o.Who + ": " + q.Title
	}
	return q
}

// Declined returns the answer of a user who does not want to answer. What the model reads then is up to the agent.
func Declined() session.Answer { return session.Answer{Decision: session.Deny} }

// Closed returns the answer of a user who closes the request of a server without a decision.
func Closed() session.Answer { return session.Answer{Decision: session.Cancel} }

// TakesMessage reports whether a message can go along with every answer.
func (q *Question) TakesMessage() bool { return q.Permission != nil || q.Review != nil }

// ChoiceOf returns the index of the choice that a letter or a number stands for, -1 for none.
func (q *Question) ChoiceOf(key string) int {
	for i, c := range q.Choices {
		if key != "" && (key == c.Key || key == c.Digit) {
			return i
		}
	}
	return -1
}

// shortened returns a path relative to the session's directory, else to the home directory.
func shortened(path, dir, home string) string {
	if rest := style.ShortPath(path, dir); rest != path && len(rest) > 2 {
		return rest[2:]
	}
	return style.ShortPath(path, home)
}
