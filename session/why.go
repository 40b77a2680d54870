package session

// The reasons in [Settled.Why] for the end of an ask, in words that follow a semicolon.
const (
	WhyInterrupted = "the turn was interrupted"
	WhyTurnEnded   = "the turn ended"
	WhyAgentEnded  = "the agent ended"
	WhyWithdrawn   = "the agent withdrew the question"
	WhyLeftOpen    = "parley ended before it was answered"
	WhyRuled       = "a rule allows it now"
	WhyMode        = "the mode allows it now"
	WhyRefused     = "it is refused now"
)
