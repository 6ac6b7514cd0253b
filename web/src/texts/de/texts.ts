type English = typeof import('../en/index.ts')

/** The type of the English texts, so that a missing or an unknown text does not compile. */
export type TextsOf<Name extends keyof English> = English[Name]
