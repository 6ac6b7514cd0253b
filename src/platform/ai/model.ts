export type Model = {
  provider: 'openai_compatible' | 'anthropic'
  baseUrl: string | null
  name: string
  apiKey: string | null
  monthlyTokenLimit: number | null
}
