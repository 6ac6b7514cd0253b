export const enrichableTypes = ['lead', 'contact', 'account'] as const
export type EnrichableType = (typeof enrichableTypes)[number]

/** Email, consent, owner and status are never enriched, nor are name and domain of an account, which identify it. */
export const enrichableFields: Readonly<Record<EnrichableType, readonly string[]>> = {
  lead: [
    'first_name',
    'last_name',
    'phone',
    'title',
    'company',
    'company_domain',
    'website',
    'linkedin_url',
    'industry',
    'employee_count',
    'annual_revenue',
    'country',
    'region',
    'city',
    'timezone',
  ],
  contact: [
    'first_name',
    'last_name',
    'phone',
    'title',
    'department',
    'linkedin_url',
    'country',
    'region',
    'city',
    'timezone',
  ],
  account: [
    'website',
    'industry',
    'employee_count',
    'annual_revenue',
    'phone',
    'country',
    'region',
    'city',
    'timezone',
  ],
}

/** Calculated from website and email address, so that a provider can only confirm it. */
export const isDerivedField = (type: EnrichableType, field: string): boolean =>
  type === 'lead' && field === 'company_domain'

export const addressFields: readonly string[] = ['country', 'region', 'city']
