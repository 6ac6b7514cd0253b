import { filterActiveUserIds, lockCurrencyShared, readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError, invalid } from '#platform/errors'
import { getCrmSettings, readCrmSettings } from './crm-settings.queries.ts'
import { convertMinor } from './crm-settings.rules.ts'
import type { CrmSettings } from './crm-settings.schemas.ts'
import { crmSettings } from './crm-settings.ts'

type CrmSettingsReplacement = { settings: CrmSettings; expectedVersion?: number }

export async function replaceCrmSettings(tx: TenantTx, { settings, expectedVersion }: CrmSettingsReplacement) {
  await replaceSection(tx, crmSettings, settings, expectedVersion)
  return await getCrmSettings(tx)
}

export async function removeInactiveOwners(tx: TenantTx): Promise<void> {
  const { settings, version } = (await readSections(tx, [crmSettings])).get(crmSettings.name)!
  const { assignment } = settings as CrmSettings
  const active = await filterActiveUserIds(tx, assignment.owner_ids)
  const owner_ids = assignment.owner_ids.filter((id) => active.has(id))
  if (owner_ids.length === assignment.owner_ids.length) return
  // Fails with a version mismatch if the settings change at the same time; the subscription is then retried.
  await replaceSection(tx, crmSettings, { ...settings, assignment: { ...assignment, owner_ids } }, version)
}

type Amount = { amount_minor: number; currency: string }

export type CurrencyRates = { base: string; rates: Readonly<Record<string, string>> }

/** Reads the rates of these currencies and locks the base currency until the transaction ends. */
export async function readCurrencyRates(tx: TenantTx, currencies: Iterable<string>): Promise<CurrencyRates> {
  const base = await lockCurrencyShared(tx)
  const isConverted = [...currencies].some((currency) => currency !== base)
  return { base, rates: isConverted ? (await readCrmSettings(tx)).currency_rates : {} }
}

/** Converts an amount to the base currency and locks the base currency until the transaction ends. `path` is a JSON pointer. */
export async function toBaseMinor(tx: TenantTx, amount: Amount, path: string): Promise<number> {
  return convertToBase(await readCurrencyRates(tx, [amount.currency]), amount, path)
}

export function convertToBase({ base, rates }: CurrencyRates, { amount_minor, currency }: Amount, path: string) {
  if (currency === base) return amount_minor
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined
  if (rate === undefined) throw noExchangeRate(currency, path)
  const converted = convertMinor(amount_minor, currency, base, rate)
  if (!Number.isSafeInteger(converted)) throw invalid('body', `${path}/amount`, 'range', '`amount` is too large.')
  return converted
}

function noExchangeRate(currency: string, path: string): AppError {
  const message = `No exchange rate for ${currency} is configured. Add one to \`currency_rates\` in the CRM settings or use another currency.`
  const error = { in: 'body', path: `${path}/currency`, code: 'no_exchange_rate', message }
  return new AppError(422, 'no_exchange_rate', message, { extra: { errors: [error] } })
}
