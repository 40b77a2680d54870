package proc

func leaveSession() {}

func (g *guard) pid() int { return 0 }
