package proc

// guard does nothing here: job objects end what is ours when we are gone.
type guard struct{}

func startGuard(string) (*guard, error) { return nil, nil }

func (*guard) dismiss() {}
