package session

// These methods make the set of events closed: an event of another package cannot have one.

func (TurnStarted) event()      {}
func (TurnEnded) event()        {}
func (PartStarted) event()      {}
func (PartDelta) event()        {}
func (PartEnded) event()        {}
func (PartReplaced) event()     {}
func (PartRetracted) event()    {}
func (ToolStarted) event()      {}
func (ToolInput) event()        {}
func (ToolReady) event()        {}
func (ToolOutput) event()       {}
func (ToolEnded) event()        {}
func (FilesChanged) event()     {}
func (Asked) event()            {}
func (Settled) event()          {}
func (ChildStarted) event()     {}
func (ChildEnded) event()       {}
func (Queued) event()           {}
func (Steered) event()          {}
func (Reminded) event()         {}
func (Unqueued) event()         {}
func (Requeued) event()         {}
func (RetryScheduled) event()   {}
func (UsageReported) event()    {}
func (ContextReported) event()  {}
func (CreditsReported) event()  {}
func (LimitReported) event()    {}
func (ModelChanged) event()     {}
func (ModeChanged) event()      {}
func (CustomChanged) event()    {}
func (DirsChanged) event()      {}
func (RuleRevoked) event()      {}
func (TitleChanged) event()     {}
func (TodosChanged) event()     {}
func (Compacted) event()        {}
func (SessionIDChanged) event() {}
func (RuntimeChanged) event()   {}
func (RemoteChanged) event()    {}
func (Notice) event()           {}
