import type { Role } from '#platform/access'

type SampleUser = { key: string; name: string; title: string; role: Role; manager?: string; quota?: number }

const seller = (key: string, name: string, title: string, manager: string, quota: number): SampleUser => ({
  key,
  name,
  title,
  manager,
  quota,
  role: 'member',
})

/** Managers before the users who report to them. Quotas are in units of the base currency. */
export const sampleUsers: readonly SampleUser[] = [
  { key: 'user:1', name: 'Helen Brandt', title: 'Chief Revenue Officer', role: 'manager' },
  { key: 'user:2', name: 'Marcus Reid', title: 'Head of Enterprise Sales', role: 'manager', manager: 'user:1' },
  { key: 'user:3', name: 'Sofia Lindqvist', title: 'Head of Mid-Market Sales', role: 'manager', manager: 'user:1' },
  { key: 'user:4', name: 'Daniel Okafor', title: 'Head of Customer Success', role: 'manager', manager: 'user:1' },
  seller('user:5', 'Priya Nair', 'Account Executive, Enterprise', 'user:2', 240_000),
  seller('user:6', 'Tom Whitaker', 'Account Executive, Enterprise', 'user:2', 240_000),
  seller('user:7', 'Claire Dubois', 'Account Executive, Enterprise', 'user:2', 220_000),
  seller('user:8', 'Jonas Weber', 'Account Executive', 'user:3', 120_000),
  seller('user:9', 'Amira Haddad', 'Account Executive', 'user:3', 120_000),
  seller('user:10', 'Luca Moretti', 'Account Executive', 'user:3', 110_000),
  { key: 'user:11', name: 'Grace Sullivan', title: 'Customer Success Manager', role: 'member', manager: 'user:4' },
  { key: 'user:12', name: 'Ben Carter', title: 'Revenue Analyst', role: 'viewer', manager: 'user:1' },
]

export const sampleEnterpriseSellers = ['user:5', 'user:6', 'user:7'] as const
export const sampleMidMarketSellers = ['user:8', 'user:9', 'user:10'] as const

type SampleTeam = { key: string; name: string; description: string; color: string; lead: string; members: string[] }

export const sampleTeams: readonly SampleTeam[] = [
  {
    key: 'team:1',
    name: 'Enterprise sales',
    description: 'Companies with 1,000 employees or more',
    color: '#2f6fde',
    lead: 'user:2',
    members: [...sampleEnterpriseSellers],
  },
  {
    key: 'team:2',
    name: 'Mid-market sales',
    description: 'Companies with fewer than 1,000 employees',
    color: '#2e9e6b',
    lead: 'user:3',
    members: [...sampleMidMarketSellers],
  },
  {
    key: 'team:3',
    name: 'Customer success',
    description: 'Onboarding, renewals and expansion',
    color: '#c2703d',
    lead: 'user:4',
    members: ['user:11'],
  },
]
