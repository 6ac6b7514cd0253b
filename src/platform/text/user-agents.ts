const botPattern = /bot|crawl|spider|preview|scan|fetch|curl|wget|python|monitor|headless|slurp|facebookexternalhit/i

export const isBot = (userAgent: string | null | undefined): boolean => !userAgent || botPattern.test(userAgent)
