import type { FieldTexts } from '#platform/http'

const filterOf = (records: string) => ({ filter: `Rule that the ${records} match. Default: all ${records}.` })

export const crmFileTexts: FieldTexts = {
  CreateLeadExportRequest: filterOf('leads'),
  CreateContactExportRequest: filterOf('contacts'),
  CreateAccountExportRequest: filterOf('accounts'),
}
