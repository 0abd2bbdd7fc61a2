import './memo.css';
import './view.css';
import './compare.css';
import './widget.css';
import './panel.css';
