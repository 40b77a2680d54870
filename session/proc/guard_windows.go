package proc

// guard does nothing: job objects end the children with parley.
type guard struct{}

func startGuard(string) (*guard, error) { return nil, nil }

func (*guard) dismiss() {}
