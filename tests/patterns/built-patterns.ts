import { toMentionPattern } from '../../src/platform/erasure/mentions.ts'
import { accentPattern, caseExceptions, separatorPattern } from '../../src/platform/rules/text-folding.rules.ts'

const tenant = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const area = '[a-z][a-z0-9_]{0,39}'

/** Regular expressions that a file builds at run time: one for each construction in the file, in their order. */
export const builtPatterns: Record<string, RegExp[]> = {
  'src/modules/community/erasure/community-erasure.rules.ts': [/\[(?:[^[\]\\]|\\[\s\S])*\]\(\s*<?mention:id/iy],
  'src/platform/erasure/mentions.ts': [toMentionPattern(['ann@example.com', '+4930123', 'Ann Lee', 'Lee, Ann'])!],
  'src/platform/rules/text-folding.rules.ts': [
    new RegExp(accentPattern, 'u'),
    new RegExp(separatorPattern, 'u'),
    new RegExp(`[${caseExceptions.from}]`, 'u'),
  ],
  'src/modules/identity/credentials/api-keys/key-format.rules.ts': [/^svc_live_[0-9A-Za-z]{38}$/],
  'src/modules/operations/code-viewer/search-code.ts': [new RegExp(RegExp.escape('lead.created (x)'), 'i')],
  'src/platform/html/page-languages.ts': [/^de-[a-z]{2}$/i],
  'src/platform/http/openapi/field-texts.ts': [
    /^(?:Created|Listed|Create|List)?([A-Z]\w*?)(?:Request|Result|Changes|Summary|Details)?$/,
  ],
  'src/platform/markdown/mentions.ts': [/<a href="mention:([0-9a-f-]{36})" rel="nofollow ugc noopener">([^<]*)<\/a>/],
  // Patterns of our own schemas, which are in the lists themselves.
  'src/platform/schema/example.ts': [/^a$/u],
  'src/platform/storage/storage-key.ts': [
    new RegExp(`^${tenant}/${area}/[a-z0-9][a-z0-9_-]{0,99}$`),
    new RegExp(`^${tenant}/(?:${area}/)?$`),
  ],
  'web/src/areas/accounts/account-list.ts': [/^(any|(prospect|partner)(,(prospect|partner))*)$/],
  'web/src/areas/cadences/list/cadence-list-search.ts': [/^(current|any|(draft|active)(,(draft|active))*)$/],
  'web/src/areas/campaigns/campaign-list.ts': [
    /^(current|any|(planned|active)(,(planned|active))*)$/,
    /^(webinar|email)(,(webinar|email))*$/,
  ],
  'web/src/areas/contacts/contact-search.ts': [/^(any|(subscriber|lead|mql)(,(subscriber|lead|mql))*)$/],
  'web/src/areas/leads/lead-search.ts': [/^(open|any|(new|working|qualified)(,(new|working|qualified))*)$/],
}
