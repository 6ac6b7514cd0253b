import { toFieldLabel } from '#platform/rules'

export const templateVariableGroups = ['person', 'company', 'sender', 'custom', 'email'] as const
type VariableGroup = (typeof templateVariableGroups)[number]

export type DescribedVariable = { key: string; label: string; group: VariableGroup }

const ofCompany = ['company', 'company_domain', 'website', 'industry', 'employee_count', 'account.name']
const labels: Readonly<Record<string, string>> = {
  linkedin_url: 'LinkedIn profile',
  unsubscribe_url: 'Unsubscribe link',
}

export const describeVariable = (key: string): DescribedVariable => ({
  key,
  label: labels[key] ?? toFieldLabel(key),
  group: groupOf(key),
})

function groupOf(key: string): VariableGroup {
  if (key.startsWith('sender.')) return 'sender'
  if (key === 'unsubscribe_url') return 'email'
  return ofCompany.includes(key) ? 'company' : 'person'
}
