import { leadTexts } from '../../texts/en/lead-texts.ts'
import type { LeadRow } from './lead-queries.ts'

export const nameOfLead = ({ name, email, company }: Pick<LeadRow, 'name' | 'email' | 'company'>): string =>
  name ?? email ?? company ?? leadTexts.noName

/** Title and company in one line, as far as they are known. */
export const roleOfLead = ({ title, company }: Pick<LeadRow, 'title' | 'company'>): string =>
  [title, company].filter(Boolean).join(', ')
