package copilot

const (
	// pricesPer is the number of tokens of our prices, and the default batch of the service.
	pricesPer = 1_000_000
	// nanoPerCredit is the number of nano-AIU in one credit.
	nanoPerCredit = 1e9
)

// decodePrices decodes the token prices in either of two known forms: "default" and "long_context" with prices in
// credits per batch, and an older flat one in nano-AIU per batch. It drops a long-context price that equals the default
// one.
func decodePrices(o fields) (standard, long *Price) {
	if o == nil {
		return nil, nil
	}
	batch := o.float("batch_size")
	if batch <= 0 {
		batch = pricesPer
	}
	nested := o.object("default")
	if nested == nil {
		return decodePrice(o, batch*nanoPerCredit), nil
	}
	standard = decodePrice(nested, batch)
	long = decodePrice(o.object("long_context"), batch)
	if long != nil && standard != nil {
		same := *long
		same.Context = standard.Context
		if same == *standard {
			long = nil
		}
	}
	return standard, long
}

// decodePrice decodes one price, in credits for so many tokens; nil without prices of input and output. The keys for
// the cache and the longest prompt changed in the middle of 2026; it accepts both.
func decodePrice(o fields, tokens float64) *Price {
	if !o.has("input_price") && !o.has("output_price") {
		return nil
	}
	price := func(name string) float64 { return o.float(name) * pricesPer / tokens }
	return &Price{
		Input: price("input_price"), Output: price("output_price"),
		CacheRead:  price(o.either("cache_read_price", "cache_price")),
		CacheWrite: price("cache_write_price"), CacheWrite1h: price("cache_write_1h_price"),
		Context: o.whole(o.either("max_prompt_tokens", "context_max")),
	}
}
