import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app/app.tsx'
import { applyKeptTheme } from './app/theme.ts'
import { bridge } from './bridge/bridge.ts'
import { followClosing } from './bridge/closing.ts'
import { listenToCore } from './bridge/query-client.ts'
import { catalogLanguage } from './strings/locale.ts'
import './styles/base.css'

// The content security policy forbids `eval`, which zod would otherwise try.
z.config({ jitless: true })
document.documentElement.lang = catalogLanguage
applyKeptTheme()
listenToCore()
followClosing(bridge)

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
