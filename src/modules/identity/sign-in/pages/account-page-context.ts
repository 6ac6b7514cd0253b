import type { PageLanguage, PageTheme } from '#platform/html'
import type { SsoProviders } from '../auth/auth.schemas.ts'
import type { AccountTexts } from './texts/account-texts.ts'

export type AccountPageContext = {
  theme: PageTheme
  language: PageLanguage
  minPasswordLength: number
  methods: SsoProviders
}
export type AccountPageParts = AccountPageContext & { workspace: string; texts: AccountTexts }
