import { apiKeyTexts, scopeResourceTexts } from '../../texts/en/settings-texts.ts'
import styles from './settings.module.css'

const actions = ['read', 'write', 'delete'] as const

/** One checkbox for each permission that the user has. */
export function ScopeTable({ scopes }: { scopes: readonly string[] }) {
  const resources = Object.entries(scopeResourceTexts).filter(([resource]) =>
    actions.some((action) => scopes.includes(`${resource}.${action}`)),
  )
  return (
    <section className={styles.scopes} aria-label={apiKeyTexts.scopeTable}>
      <table>
        <thead>
          <tr>
            <td />
            {actions.map((action) => (
              <th key={action} scope="col">
                {apiKeyTexts.scopeActions[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map(([resource, label]) => (
            <tr key={resource}>
              <th scope="row">{label}</th>
              {actions.map((action) => (
                <td key={action}>
                  {scopes.includes(`${resource}.${action}`) && (
                    <label>
                      <input type="checkbox" name="scopes" value={`${resource}.${action}`} />
                      <span className="visually-hidden">{`${apiKeyTexts.scopeActions[action]} ${label}`}</span>
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
