/** The model a workspace has chosen, as much as it takes to ask it. */
export type Model = {
  provider: 'openai_compatible' | 'anthropic'
  /** Where the provider's paths begin; null is the provider's own address. */
  baseUrl: string | null
  name: string
  apiKey: string | null
  /** Null is no limit. */
  monthlyTokenLimit: number | null
}
