import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

const page = lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage')

export const settingsRoutes = <Root extends AnyRoute>(root: Root) => {
  const index = createRoute({ getParentRoute: () => root, path: '/settings', component: page })
  const section = createRoute({ getParentRoute: () => root, path: '/settings/$section', component: page })
  return [index, section] as const
}
